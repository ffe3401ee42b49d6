package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Allocation of holes in a file: writes zeros where the file reads as zeros. Not concurrent with other writes.
 */
final class ZeroPages {
    private static final int PAGE_BYTES = 4096;
    private static final int WINDOW_BYTES = 1 << 20;

    private ZeroPages() {}

    /**
     * Fills zero pages in the first MiB, where Chronicle has its header and first index, and the zero pages at the end.
     *
     * @return the position of the zeros at the end, rounded up to a page
     * @throws IOException if the disk is full, or the file cannot be read or written
     */
    static long fillTail(Path file) throws IOException {
        try (DiskFile channel = Disk.of(file).open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
            long size = channel.size();
            fill(channel, window, 0, (int) Math.min(WINDOW_BYTES, size));
            long start = size;
            while (start > 0) {
                int length = (int) Math.min(WINDOW_BYTES, start);
                start -= length;
                int used = fill(channel, window, start, length);
                if (used > 0) {
                    return start + used;
                }
            }
            return 0;
        }
    }

    static void fillAll(Path file) throws IOException {
        try (DiskFile channel = Disk.of(file).open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
            long size = channel.size();
            for (long start = 0; start < size; start += WINDOW_BYTES) {
                var unused = fill(channel, window, start, (int) Math.min(WINDOW_BYTES, size - start));
            }
        }
    }

    /** Fills the zero pages of a range; returns the end of the last page that is not zero; 0 if all are. */
    private static int fill(DiskFile channel, ByteBuffer window, long start, int length) throws IOException {
        window.clear().limit(length);
        while (window.hasRemaining() && channel.read(window, start + window.position()) > 0) {
            // Read until the window is full.
        }
        int used = 0;
        for (int page = 0; page < length; page += PAGE_BYTES) {
            int end = Math.min(page + PAGE_BYTES, length);
            if (Zeros.count(window, page, end) < end - page) {
                used = end;
                continue;
            }
            window.limit(end).position(page);
            while (window.hasRemaining()) {
                channel.write(window, start + window.position());
            }
            window.clear().limit(length);
        }
        return used;
    }
}
