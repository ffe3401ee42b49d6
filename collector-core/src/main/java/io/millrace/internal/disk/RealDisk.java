package io.millrace.internal.disk;

import io.millrace.internal.linux.LibC;
import io.millrace.internal.linux.ProcFile;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** The disk of this host. */
public final class RealDisk implements Disk {
    /** The only one. */
    public static final Disk INSTANCE = new RealDisk();

    private static final String MODE = "unix:mode";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private RealDisk() {}

    @Override
    public DiskFile open(Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return new RealFile(FileChannel.open(file, options, attributes));
    }

    @Override
    public boolean allocate(Path file, long from, long bytes) throws IOException {
        try {
            return LibC.allocate(file, from, bytes);
        } catch (LinkageError e) {
            return false;
        }
    }

    @Override
    public void sync(Path file, MappedByteBuffer map, int offset, int length) {
        map.force(offset, length);
    }

    @Override
    public void sync(Path path) throws IOException {
        boolean directory = Files.isDirectory(path) || path.toString().isEmpty();
        try (FileChannel channel = FileChannel.open(
                path.toAbsolutePath(), directory ? StandardOpenOption.READ : StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    // Unlike a channel, these are not closed by an interrupt of the thread.
    @Override
    public byte[] read(Path file) throws IOException {
        return Files.readAllBytes(file);
    }

    @Override
    public Stream<String> lines(Path file, Charset charset) throws IOException {
        return Files.lines(file, charset);
    }

    @Override
    public void link(Path link, Path existing) throws IOException {
        Files.createLink(link, existing);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public boolean deleteIfExists(Path path) throws IOException {
        return Files.deleteIfExists(path);
    }

    @Override
    public void create(Path file, FileAttribute<?>... attributes) throws IOException {
        Files.createFile(file, attributes);
    }

    @Override
    public void createDirectory(Path directory, FileAttribute<?>... attributes) throws IOException {
        Files.createDirectory(directory, attributes);
    }

    @Override
    public Path createDirectories(Path directory, FileAttribute<?>... attributes) throws IOException {
        return Files.createDirectories(directory, attributes);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        }
    }

    @Override
    public List<Path> walk(Path top) throws IOException {
        try (Stream<Path> all = Files.walk(top)) {
            return all.toList();
        }
    }

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public boolean notExists(Path path) {
        return Files.notExists(path);
    }

    @Override
    public boolean exists(File file) {
        return file.exists();
    }

    @Override
    public boolean isDirectory(Path path) {
        return Files.isDirectory(path);
    }

    @Override
    public boolean isPlainFile(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public boolean isPlainDirectory(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public long size(Path file) throws IOException {
        return Files.size(file);
    }

    @Override
    public FileTime modified(Path path) throws IOException {
        return Files.getLastModifiedTime(path);
    }

    @Override
    public @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    @Override
    public int mode(Path path) throws IOException {
        return (int) Files.getAttribute(path, MODE);
    }

    @Override
    public void setMode(Path path, int mode) throws IOException {
        Files.setAttribute(path, MODE, mode);
    }

    @Override
    public int links(Path file) throws IOException {
        return (int) Files.getAttribute(file, "unix:nlink");
    }

    @Override
    public UserPrincipal owner(Path path) throws IOException {
        return Files.getOwner(path);
    }

    // A FileStore would need the mount point, which a chroot hides.
    @Override
    public long usableBytes(Path directory) {
        return directory.toFile().getUsableSpace();
    }

    @Override
    public long totalBytes(Path directory) {
        return directory.toFile().getTotalSpace();
    }

    @Override
    public boolean isLockedByOther(Path file) throws IOException {
        try {
            return LibC.isLockedByOther(file);
        } catch (LinkageError noNativeLibrary) {
            try (DiskFile lockFile = open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
                    FileLock lock = lockFile.tryLock()) {
                return lock == null;
            } catch (OverlappingFileLockException heldByThisProcess) {
                return true;
            }
        }
    }

    @Override
    public long host(Path directory) {
        try {
            String boot = ProcFile.text(BOOT);
            return hash(boot) << Integer.SIZE | hash(String.valueOf(Files.getAttribute(directory, "unix:dev")));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return UNKNOWN_HOST;
        }
    }

    private static long hash(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }

    /** A channel of the JDK. */
    private static final class RealFile implements DiskFile {
        private final FileChannel channel;

        private RealFile(FileChannel channel) {
            this.channel = channel;
        }

        @Override
        public int read(ByteBuffer to, long position) throws IOException {
            return channel.read(to, position);
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            return channel.write(from, position);
        }

        @Override
        public int append(ByteBuffer from) throws IOException {
            return channel.write(from);
        }

        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            channel.truncate(size);
        }

        @Override
        public void sync(boolean metadata) throws IOException {
            channel.force(metadata);
        }

        @Override
        public MappedByteBuffer map(boolean writable, long bytes) throws IOException {
            return channel.map(writable ? FileChannel.MapMode.READ_WRITE : FileChannel.MapMode.READ_ONLY, 0, bytes);
        }

        @Override
        public @Nullable FileLock tryLock() throws IOException {
            return channel.tryLock();
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public InputStream input() {
            return Channels.newInputStream(channel);
        }

        @Override
        public OutputStream output() {
            return new BufferedOutputStream(Channels.newOutputStream(channel));
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
