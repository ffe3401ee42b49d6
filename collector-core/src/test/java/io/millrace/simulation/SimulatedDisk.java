package io.millrace.simulation;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.disk.RealDisk;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A disk below one directory of a memory file system. The files there have what the process has written, also through maps. The disk
 * itself knows, for each file, what was synced, and which names the directories have on the disk. A crash takes an image: after a kill
 * the files as they are; after a loss of power, each page, sector and name that was not synced is there or not, as the seed says.
 *
 * <p>What file systems do, and the model with them: names change atomically, and in the order of the calls; the sync of a directory
 * makes its names durable, that of a file only its content; a page reaches the disk at any time or never; a sector is never torn.
 * After a failed sync, pages that did not reach the disk count as clean: a later sync does not write them.
 */
final class SimulatedDisk implements Disk {
    static final int PAGE = 4096;
    static final int SECTOR = 512;
    private static final byte[] EMPTY = {};

    /** A file of the disk, whatever its names are. */
    private static final class Inode {
        /** The content on the disk. */
        byte[] synced = EMPTY;
        /** The content at a failed sync; null if none has failed. */
        byte @Nullable [] failed;
    }

    /** A change of names that no directory sync has made durable. */
    private record Change(
            @Nullable Path from,
            @Nullable Path to,
            @Nullable Inode inode) {
        boolean isIn(Path directory) {
            return (from != null && directory.equals(from.getParent()))
                    || (to != null && directory.equals(to.getParent()));
        }
    }

    private final Path root;
    final DiskFaults faults;
    private final Runnable onCrash;
    /** The names that the process sees, and those on the disk. */
    private final Map<Path, Inode> names = new TreeMap<>();

    private final Map<Path, Inode> durable = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final long boot;
    private boolean dead;
    /** The simulation looks at files: nothing fails. */
    boolean observed;
    /** For the profile: calls of this disk. */
    long calls;

    /**
     * Creates a disk.
     *
     * @param root a directory, whose content is on the disk
     * @param boot identifies the kernel between two losses of power
     * @param onCrash called when a fault ends the process
     */
    SimulatedDisk(Path root, DiskFaults faults, long boot, Runnable onCrash) throws IOException {
        this.boot = boot;
        this.root = root;
        this.faults = faults;
        this.onCrash = onCrash;
        for (Path path : RealDisk.INSTANCE.walk(root)) {
            if (Files.isRegularFile(path)) {
                Inode inode = new Inode();
                inode.synced = Files.readAllBytes(path);
                names.put(path, inode);
                durable.put(path, inode);
            }
        }
    }

    /** Ends the process: no call has an effect from now on. */
    void die() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** Before a call that changes nothing. The process may make more or fewer of them, by the time of the host. */
    private void look() {
        if (dead) {
            throw new SimulatedCrash();
        }
    }

    /** Before a call that may change something. */
    private void call() {
        look();
        calls++;
        if (!observed && faults.crashesNow()) {
            onCrash.run();
            throw new SimulatedCrash();
        }
    }

    private void maybeFail(Path path) throws IOException {
        if (observed || path.endsWith("meta.json")) {
            // The metadata is read again each second, by the time of the host.
            return;
        }
        faults.delay();
        if (faults.failsNow()) {
            throw new FileSystemException(path.toString(), null, "Input/output error");
        }
    }

    /** A call with a descriptor: as with the channels of the JDK, the error has no name. */
    private void maybeFailOpen(Path path) throws IOException {
        try {
            maybeFail(path);
        } catch (FileSystemException e) {
            throw new IOException(e.getReason(), e);
        }
    }

    private void needsRoom(Path path) throws IOException {
        if (faults.full) {
            throw new FileSystemException(path.toString(), null, "No space left on device");
        }
    }

    // What the process does.

    @Override
    public DiskFile open(Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        boolean writes = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        if (writes) {
            call();
        } else {
            look();
        }
        boolean creates =
                options.contains(StandardOpenOption.CREATE) || options.contains(StandardOpenOption.CREATE_NEW);
        if (creates && !Files.exists(file)) {
            needsRoom(file);
        }
        maybeFail(file);
        DiskFile real = RealDisk.INSTANCE.open(file, options, attributes);
        inode(file);
        return new OpenFile(file, real);
    }

    /** The file of a name, which the process or Chronicle may have just created. */
    private Inode inode(Path file) {
        Inode known = names.get(file);
        if (known == null) {
            known = new Inode();
            names.put(file, known);
            changes.add(new Change(null, file, known));
        }
        return known;
    }

    @Override
    public boolean allocate(Path file, long from, long bytes) throws IOException {
        call();
        needsRoom(file);
        maybeFail(file);
        return RealDisk.INSTANCE.allocate(file, from, bytes);
    }

    @Override
    public void sync(Path path) throws IOException {
        call();
        if (Files.isDirectory(path)) {
            maybeFailOpen(path);
            syncNames(path);
        } else {
            syncContent(path, inode(path));
        }
    }

    @Override
    public void sync(Path file, MappedByteBuffer map, int offset, int length) {
        call();
        try {
            syncContent(file, inode(file), offset / PAGE * PAGE, offset + length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void syncContent(Path file, Inode inode) throws IOException {
        syncContent(file, inode, 0, Integer.MAX_VALUE);
    }

    /** Syncs whole pages of a file; the length of the file is synced in any case. */
    private void syncContent(Path file, Inode inode, int from, int to) throws IOException {
        byte[] now = Files.readAllBytes(file);
        try {
            maybeFailOpen(file);
        } catch (IOException e) {
            inode.failed = now;
            throw e;
        }
        byte[] failed = inode.failed;
        if (failed != null) {
            for (int page = 0; page < now.length; page += PAGE) {
                int end = Math.min(page + PAGE, now.length);
                if (end <= failed.length && Arrays.equals(now, page, end, failed, page, end)) {
                    keep(inode.synced, now, page, end);
                }
            }
        }
        for (int page = 0; page < now.length; page += PAGE) {
            if (page < from || page >= to) {
                keep(inode.synced, now, page, Math.min(page + PAGE, now.length));
            }
        }
        inode.synced = now;
    }

    /** Copies a range of one content over another; zeros where it ends before. */
    private static void keep(byte[] from, byte[] to, int begin, int end) {
        int there = Math.max(begin, Math.min(end, from.length));
        System.arraycopy(from, Math.min(begin, from.length), to, begin, there - begin);
        Arrays.fill(to, there, end, (byte) 0);
    }

    private void syncNames(Path directory) throws IOException {
        for (Path path : RealDisk.INSTANCE.list(directory)) {
            if (Files.isRegularFile(path)) {
                inode(path);
            }
        }
        List<Change> left = new ArrayList<>();
        for (Change change : changes) {
            if (change.isIn(directory)) {
                apply(change, durable);
            } else {
                left.add(change);
            }
        }
        changes.clear();
        changes.addAll(left);
    }

    private static void apply(Change change, Map<Path, Inode> to) {
        if (change.from != null) {
            to.remove(change.from);
        }
        if (change.to != null && change.inode != null) {
            to.put(change.to, change.inode);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        call();
        maybeFail(from);
        boolean isDirectory = Files.isDirectory(from);
        RealDisk.INSTANCE.rename(from, to);
        if (isDirectory) {
            for (Path file : List.copyOf(names.keySet())) {
                if (file.startsWith(from)) {
                    renamed(file, to.resolve(from.relativize(file)));
                }
            }
        } else {
            inode(from);
            renamed(from, to);
        }
    }

    private void renamed(Path from, Path to) {
        Inode inode = names.remove(from);
        if (inode != null) {
            names.put(to, inode);
            changes.add(new Change(from, to, inode));
        }
    }

    @Override
    public void link(Path link, Path existing) throws IOException {
        call();
        RealDisk.INSTANCE.link(link, existing);
        Inode inode = inode(existing);
        names.put(link, inode);
        changes.add(new Change(null, link, inode));
    }

    @Override
    public void delete(Path path) throws IOException {
        call();
        maybeFail(path);
        RealDisk.INSTANCE.delete(path);
        deleted(path);
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        call();
        maybeFail(path);
        boolean was = RealDisk.INSTANCE.deleteIfExists(path);
        deleted(path);
        return was;
    }

    private void deleted(Path path) {
        if (names.remove(path) != null) {
            changes.add(new Change(path, null, null));
        }
    }

    @Override
    public void create(Path file, FileAttribute<?>... attributes) throws IOException {
        call();
        needsRoom(file);
        RealDisk.INSTANCE.create(file, attributes);
        inode(file);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        call();
        RealDisk.INSTANCE.createDirectory(directory, attributes);
    }

    @Override
    public Path createDirectories(Path directory, FileAttribute<?>... attributes) throws IOException {
        call();
        return RealDisk.INSTANCE.createDirectories(directory, attributes);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        look();
        List<Path> all = new ArrayList<>(RealDisk.INSTANCE.list(directory));
        all.sort(null);
        return all;
    }

    @Override
    public List<Path> walk(Path top) throws IOException {
        look();
        List<Path> all = new ArrayList<>(RealDisk.INSTANCE.walk(top));
        all.sort(null);
        return all;
    }

    @Override
    public boolean exists(Path path) {
        look();
        return RealDisk.INSTANCE.exists(path);
    }

    @Override
    public boolean notExists(Path path) {
        look();
        return RealDisk.INSTANCE.notExists(path);
    }

    @Override
    public boolean exists(File file) {
        look();
        return RealDisk.INSTANCE.exists(file);
    }

    @Override
    public boolean isDirectory(Path path) {
        look();
        return RealDisk.INSTANCE.isDirectory(path);
    }

    @Override
    public boolean isPlainFile(Path path) {
        look();
        return RealDisk.INSTANCE.isPlainFile(path);
    }

    @Override
    public boolean isPlainDirectory(Path path) {
        look();
        return RealDisk.INSTANCE.isPlainDirectory(path);
    }

    @Override
    public long size(Path file) throws IOException {
        look();
        return RealDisk.INSTANCE.size(file);
    }

    @Override
    public FileTime modified(Path path) throws IOException {
        look();
        // Always new, so that nobody relies on the time of this host.
        return FileTime.fromMillis(Long.MAX_VALUE / 2);
    }

    @Override
    public @Nullable Object key(Path path) throws IOException {
        look();
        return RealDisk.INSTANCE.key(path);
    }

    @Override
    public int mode(Path path) throws IOException {
        look();
        return RealDisk.INSTANCE.mode(path);
    }

    @Override
    public void setMode(Path path, int mode) throws IOException {
        call();
        RealDisk.INSTANCE.setMode(path, mode);
    }

    @Override
    public int links(Path file) throws IOException {
        look();
        return RealDisk.INSTANCE.links(file);
    }

    @Override
    public UserPrincipal owner(Path path) throws IOException {
        look();
        return RealDisk.INSTANCE.owner(path);
    }

    @Override
    public long usableBytes(Path directory) {
        look();
        return faults.full ? 1 : 1L << 40;
    }

    @Override
    public long totalBytes(Path directory) {
        look();
        return 1L << 41;
    }

    @Override
    public boolean isLockedByOther(Path file) throws IOException {
        look();
        return RealDisk.INSTANCE.isLockedByOther(file);
    }

    @Override
    public long host(Path directory) {
        look();
        return boot;
    }

    /** An open file. Its name may have changed since. */
    private final class OpenFile implements DiskFile {
        private final Path path;
        private final DiskFile real;
        private final Inode inode;

        OpenFile(Path path, DiskFile real) {
            this.path = path;
            this.real = real;
            this.inode = inode(path);
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            look();
            maybeFailOpen(path);
            return real.read(to, position);
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            call();
            maybeFailOpen(path);
            if (position + from.remaining() > real.size()) {
                needsRoom(path);
            }
            // The pages are to be written again, even if they do not change.
            inode.failed = null;
            return real.write(from, position);
        }

        @Override
        public int append(ByteBuffer from) throws IOException {
            call();
            maybeFailOpen(path);
            needsRoom(path);
            inode.failed = null;
            return real.append(from);
        }

        @Override
        public long size() throws IOException {
            look();
            return real.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            call();
            real.truncate(size);
        }

        @Override
        public void sync(boolean metadata) throws IOException {
            call();
            Path name = nameOf(inode);
            if (name != null) {
                syncContent(name, inode);
            }
        }

        @Override
        public MappedByteBuffer map(boolean writable, long bytes) throws IOException {
            look();
            return real.map(writable, bytes);
        }

        @Override
        public @Nullable FileLock tryLock() throws IOException {
            look();
            return real.tryLock();
        }

        @Override
        public boolean isOpen() {
            return real.isOpen();
        }

        @Override
        public InputStream input() {
            look();
            return real.input();
        }

        @Override
        public OutputStream output() {
            look();
            return real.output();
        }

        @Override
        public void close() throws IOException {
            real.close();
        }
    }

    private @Nullable Path nameOf(Inode inode) {
        for (Map.Entry<Path, Inode> each : names.entrySet()) {
            if (each.getValue() == inode) {
                return each.getKey();
            }
        }
        return null;
    }

    // What a crash leaves.

    /** The content of a disk after a crash: each file with its bytes, by its name below the root. */
    static final class Image {
        final Map<Path, byte[]> files = new TreeMap<>();
        final List<Path> directories = new ArrayList<>();

        /** Writes the image into an empty directory. */
        void writeTo(Path root) throws IOException {
            for (Path directory : directories) {
                Files.createDirectories(root.resolve(directory));
            }
            for (Map.Entry<Path, byte[]> file : files.entrySet()) {
                Files.write(root.resolve(file.getKey()), file.getValue());
            }
        }
    }

    /** The image after the kill of the process: everything that it has written. */
    Image afterKill() throws IOException {
        Image image = new Image();
        for (Path path : RealDisk.INSTANCE.walk(root)) {
            if (Files.isDirectory(path)) {
                image.directories.add(root.relativize(path));
            } else {
                image.files.put(root.relativize(path), Files.readAllBytes(path));
            }
        }
        image.directories.sort(null);
        return image;
    }

    /** The image after a loss of power, as the random numbers say. */
    Image afterPowerFailure(SplittableRandom random) throws IOException {
        // A page is kept never, always, or by chance; changes of names all, none, or some.
        return afterPowerFailure(random, random.nextInt(4), random.nextInt(3));
    }

    /**
     * The image after a loss of power.
     *
     * @param pages 0 if no page is kept that was not synced, 1 if all are
     * @param nameChanges 0 if no change of a name is kept that was not synced, 1 if all are
     */
    Image afterPowerFailure(SplittableRandom random, int pages, int nameChanges) throws IOException {
        for (Path path : RealDisk.INSTANCE.walk(root)) {
            if (Files.isRegularFile(path)) {
                inode(path);
            }
        }
        Image image = new Image();
        Map<Path, Inode> left = new TreeMap<>(durable);
        int kept = keptChanges(random, nameChanges);
        for (Change change : changes.subList(0, kept)) {
            apply(change, left);
        }
        // A directory is there if a file in it is, and empty ones do not matter.
        image.directories.add(Path.of(""));
        IdentityHashMap<Inode, byte[]> contents = new IdentityHashMap<>();
        for (Map.Entry<Path, Inode> each : left.entrySet()) {
            Inode inode = each.getValue();
            byte[] content = contents.get(inode);
            if (content == null) {
                content = content(inode, pages, random.split());
                contents.put(inode, content);
            }
            Path relative = root.relativize(each.getKey());
            image.files.put(relative, content);
            for (Path parent = relative.getParent(); parent != null; parent = parent.getParent()) {
                if (!image.directories.contains(parent)) {
                    image.directories.add(parent);
                }
            }
        }
        image.directories.sort(null);
        return image;
    }

    private int keptChanges(SplittableRandom random, int nameChanges) {
        return switch (nameChanges) {
            case 0 -> 0;
            case 1 -> changes.size();
            default -> random.nextInt(changes.size() + 1);
        };
    }

    private byte[] content(Inode inode, int pages, SplittableRandom random) throws IOException {
        Path name = nameOf(inode);
        byte[] synced = inode.synced;
        if (name == null) {
            // Deleted, but the disk does not know yet.
            return synced;
        }
        byte[] now = Files.readAllBytes(name);
        int size = now.length == synced.length || random.nextBoolean() ? now.length : synced.length;
        byte[] content = Arrays.copyOf(synced, size);
        for (int page = 0; page < size; page += PAGE) {
            int end = Math.min(page + PAGE, Math.min(size, now.length));
            boolean changed = end > page && !isSame(now, synced, page, end);
            byte[] failed = inode.failed;
            boolean isClean =
                    failed != null && end <= failed.length && Arrays.equals(now, page, end, failed, page, end);
            if (!changed || isClean) {
                continue;
            }
            switch (pages == 0 ? 0 : pages == 1 ? 1 : random.nextInt(5)) {
                case 0, 2 -> {
                    // Lost.
                }
                case 1, 3 -> System.arraycopy(now, page, content, page, end - page);
                default -> {
                    for (int sector = page; sector < end; sector += SECTOR) {
                        if (random.nextBoolean()) {
                            int length = Math.min(SECTOR, end - sector);
                            System.arraycopy(now, sector, content, sector, length);
                        }
                    }
                }
            }
        }
        return content;
    }

    private static boolean isSame(byte[] now, byte[] synced, int from, int to) {
        if (to <= synced.length) {
            return Arrays.equals(now, from, to, synced, from, to);
        }
        for (int i = from; i < to; i++) {
            if (now[i] != (i < synced.length ? synced[i] : 0)) {
                return false;
            }
        }
        return true;
    }
}
