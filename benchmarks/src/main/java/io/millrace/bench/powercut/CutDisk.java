package io.millrace.bench.powercut;

import io.millrace.bench.host.ChildProcess;
import io.millrace.bench.host.Programs;
import io.millrace.bench.host.ScratchDirectory;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The disk of the service: a file on a loop device. The file is on a file system that copies a file in one step by sharing its blocks
 * (reflink), so a copy has what the device had got at one moment. What only the page cache had is not in it.
 */
final class CutDisk implements AutoCloseable {
    private static final long DISK_BYTES = 2L << 30;
    /** Copies share their blocks, and files are sparse: this much is never written. */
    private static final long STORE_BYTES = 4 * DISK_BYTES;

    private static final int UNMOUNT_TRIES = 100;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Path directory;
    private final CutPlan.FileSystem fileSystem;
    private final Deque<Path> mounted = new ArrayDeque<>();
    private final Runnable hook = this::close;
    /** Stays attached, so that no copy gets its number: a service knows by it that this is not the device of its last run. */
    private @Nullable String originalDevice;

    private boolean closed;

    private CutDisk(Path directory, CutPlan.FileSystem fileSystem) {
        this.directory = directory;
        this.fileSystem = fileSystem;
    }

    /**
     * Creates and mounts it.
     *
     * @param directory an empty directory, which {@link #close} deletes
     * @throws UnavailableException if this host cannot do that
     */
    static CutDisk create(Path directory, CutPlan.FileSystem fileSystem) throws IOException, UnavailableException {
        CutDisk disk = new CutDisk(directory, fileSystem);
        ChildProcess.atShutdown(disk.hook);
        try {
            checkPrograms(fileSystem);
            disk.setUp();
            return disk;
        } catch (UnavailableException | IOException e) {
            disk.close();
            throw e;
        }
    }

    private static void checkPrograms(CutPlan.FileSystem fileSystem) throws UnavailableException {
        if (!Programs.isRoot()) {
            throw new UnavailableException("only root can mount file systems");
        }
        if (!Files.exists(Path.of("/dev/loop-control"))) {
            throw new UnavailableException("this host has no loop devices");
        }
        List<String> needed = new ArrayList<>(List.of("losetup", "mount", "umount", "mkfs." + fileSystem.label()));
        if (!hasXfs()) {
            needed.add("mkfs.btrfs");
        }
        for (String program : needed) {
            if (Programs.find(program).isEmpty()) {
                throw new UnavailableException(
                        program.equals("mkfs.btrfs")
                                ? "neither mkfs.xfs nor mkfs.btrfs is installed"
                                : program + " is not installed");
            }
        }
    }

    private static boolean hasXfs() {
        return Programs.find("mkfs.xfs").isPresent();
    }

    private static String program(String name) {
        return Programs.find(name).map(Path::toString).orElse(name);
    }

    private void setUp() throws IOException, UnavailableException {
        Path store = directory.resolve("store.img");
        makeSparse(store, STORE_BYTES);
        Files.createDirectories(disk());
        Files.createDirectories(copies());
        try {
            if (hasXfs()) {
                Shell.run(program("mkfs.xfs"), "-q", "-m", "reflink=1", store.toString());
            } else {
                Shell.run(program("mkfs.btrfs"), "-q", store.toString());
            }
            mount(store, copies());
            makeSparse(image(), DISK_BYTES);
            Shell.run(program("mkfs." + fileSystem.label()), "-q", image().toString());
            mount(image(), disk());
            Shell.run("cp", "--reflink=always", image().toString(), copy("try").toString());
            Files.delete(copy("try"));
        } catch (IOException e) {
            throw new UnavailableException(String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    private static void makeSparse(Path file, long bytes) throws IOException {
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(bytes);
        }
    }

    /** The directory of the run, for other files too. */
    Path directory() {
        return directory;
    }

    /** Where the file system of the service is mounted: the original, and later one copy at a time. */
    private Path disk() {
        return directory.resolve("disk");
    }

    private Path copies() {
        return directory.resolve("copies");
    }

    /** The backing file of the disk. */
    Path image() {
        return copies().resolve("disk.img");
    }

    /** The file of a copy. */
    Path copy(String name) {
        return copies().resolve(name + ".img");
    }

    /** Mounts a copy where the original was, which has been unmounted. */
    void mountCopy(Path copy) throws IOException {
        mount(copy, disk());
    }

    private synchronized void mount(Path image, Path at) throws IOException {
        if (closed) {
            throw new IOException("the test is ending");
        }
        String device = Shell.run(program("losetup"), "--find", "--show", image.toString());
        try {
            // Without it the backing file has a page cache of its own, which a copy has to write first.
            Shell.run(program("losetup"), "--direct-io=on", device);
        } catch (IOException e) {
            // Slower, but as correct.
        }
        if (image.equals(image())) {
            originalDevice = device;
        }
        try {
            Shell.run(program("mount"), device, at.toString());
            mounted.push(at);
        } finally {
            if (!device.equals(originalDevice)) {
                // While the device is mounted, this only marks it: the kernel detaches it when it is unmounted.
                Shell.run(program("losetup"), "--detach", device);
            }
        }
    }

    /** Unmounts the original or the copy. */
    synchronized void unmount() throws IOException {
        if (disk().equals(mounted.peek())) {
            unmount(mounted.pop());
        }
    }

    /** A process that has just ended may keep files open for a moment. */
    private static void unmount(Path at) throws IOException {
        for (int tries = 1; tries < UNMOUNT_TRIES; tries++) {
            try {
                Shell.run(program("umount"), at.toString());
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
        Shell.run(program("umount"), "--lazy", at.toString());
    }

    private void detachOriginal() throws IOException {
        String device = originalDevice;
        originalDevice = null;
        if (device != null) {
            Shell.run(program("losetup"), "--detach", device);
        }
    }

    /** Unmounts everything and deletes the directory of the run. */
    @Override
    public synchronized void close() {
        closed = true;
        while (!mounted.isEmpty()) {
            try {
                if (mounted.peek().equals(copies())) {
                    detachOriginal();
                }
                unmount(mounted.pop());
            } catch (IOException e) {
                System.err.println("millrace bench: " + e.getMessage());
            }
        }
        try {
            if (Files.exists(directory)) {
                ScratchDirectory.delete(directory);
            }
        } catch (IOException e) {
            System.err.println("millrace bench: cannot delete " + directory + ": " + e.getMessage());
        }
        ChildProcess.notAtShutdown(hook);
    }
}
