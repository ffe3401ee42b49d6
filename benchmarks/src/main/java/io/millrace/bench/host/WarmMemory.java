package io.millrace.bench.host;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that keeps pages warm. In a virtual machine the first touch of a page may have to wait for the host, which would slow
 * down a receiver that fills new pages. Touching them once does not help for long: the host reclaims free blocks of 2 MiB. So
 * memory is touched, and then freed except for one page per MiB, which is held during the run. The free memory around these
 * pages is too fragmented to be reclaimed, and the kernel uses it first. This costs no CPU time during a trial.
 */
public final class WarmMemory implements AutoCloseable {
    private static final int PAGE_BYTES = 4096;
    private static final int FREED_BYTES = (1 << 20) - PAGE_BYTES;

    /** An unlinked file, so that nothing is left however this process ends. */
    private final FileChannel held;

    private final long bytes;

    private WarmMemory(FileChannel held, long bytes) {
        this.held = held;
        this.bytes = bytes;
    }

    /**
     * Touches memory and frees nearly all of it.
     *
     * @param bytes how much; the limit is half of the free memory
     * @throws IOException if no file can be created
     */
    public static WarmMemory of(long bytes) throws IOException {
        Path directory = ScratchDirectory.parent();
        FileChannel held = unnamed(directory);
        long touched = 0;
        try (FileChannel freed = unnamed(directory)) {
            long limit = Math.min(
                    bytes, Math.min(freeMemory(), Files.getFileStore(directory).getUsableSpace()) / 2);
            ByteBuffer block = ByteBuffer.allocateDirect(FREED_BYTES);
            while (touched < limit) {
                write(freed, block.clear());
                write(held, block.clear().limit(PAGE_BYTES));
                touched += FREED_BYTES + PAGE_BYTES;
            }
        } catch (IOException noRoom) {
            // The other pages stay cold; nothing depends on them.
        }
        return new WarmMemory(held, touched);
    }

    private static long freeMemory() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getFreeMemorySize();
    }

    private static FileChannel unnamed(Path directory) throws IOException {
        Path name = Files.createTempFile(directory, "millrace-warm-memory", "");
        FileChannel file = FileChannel.open(name, StandardOpenOption.WRITE);
        Files.delete(name);
        return file;
    }

    private static void write(FileChannel file, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** How many bytes were touched. */
    public long bytes() {
        return bytes;
    }

    /** Frees the held pages. */
    @Override
    public void close() throws IOException {
        held.close();
    }
}
