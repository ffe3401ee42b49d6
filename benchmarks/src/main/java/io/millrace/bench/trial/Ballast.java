package io.millrace.bench.trial;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps memory warm. In a virtual machine the first touch of a page may have to wait for the host, and a receiver that fills new pages
 * would be measured by that. Touching them before does not help for long: a host that takes back what its guests do not use takes
 * free blocks of 2 MiB. So memory is touched, and all of it freed but a page in each MiB, which is held for as long as the run
 * takes: what is free around it is never a block that large, stays with this machine, and is what the kernel gives to receivers
 * first. It costs no CPU time during a trial.
 */
public final class Ballast implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int PAGE_BYTES = 4096;
    private static final int FREED_BYTES = (1 << 20) - PAGE_BYTES;

    /** Neither file has a name any more, so that nothing is left of them however this process ends. */
    private final FileChannel held;

    private final long bytes;

    private Ballast(FileChannel held, long bytes) {
        this.held = held;
        this.bytes = bytes;
    }

    /**
     * Touches memory, and frees nearly all of it.
     *
     * @param bytes how much; half of what is free at the most
     * @throws IOException if no file can be made
     */
    public static Ballast of(long bytes) throws IOException {
        Path directory = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        FileChannel held = unnamed(directory);
        long touched = 0;
        try (FileChannel freed = unnamed(directory)) {
            long most = Math.min(
                    bytes, Math.min(freeMemory(), Files.getFileStore(directory).getUsableSpace()) / 2);
            ByteBuffer block = ByteBuffer.allocateDirect(FREED_BYTES);
            while (touched < most) {
                write(freed, block.clear());
                write(held, block.clear().limit(PAGE_BYTES));
                touched += FREED_BYTES + PAGE_BYTES;
            }
        } catch (IOException noRoom) {
            // Then the other pages are as cold as they are; nothing depends on it.
        }
        return new Ballast(held, touched);
    }

    private static long freeMemory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getFreeMemorySize();
    }

    private static FileChannel unnamed(Path directory) throws IOException {
        Path name = Files.createTempFile(directory, "millrace-ballast", "");
        FileChannel file = FileChannel.open(name, StandardOpenOption.WRITE);
        Files.delete(name);
        return file;
    }

    private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** How much was touched. */
    public long bytes() {
        return bytes;
    }

    /** Frees what is held. */
    @Override
    public void close() throws IOException {
        held.close();
    }
}
