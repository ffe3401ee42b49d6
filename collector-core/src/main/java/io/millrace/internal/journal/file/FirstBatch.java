package io.millrace.internal.journal.file;

import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.DiskFile;
import io.millrace.internal.record.BatchView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The header of the first valid batch of a file. It is found without Chronicle, so it works for any file at any time.
 *
 * @param firstSequence the sequence number of its first datagram
 * @param minTimeNs the receive time of its earliest datagram, in ns since the epoch
 */
public record FirstBatch(long firstSequence, long minTimeNs) {
    /** Chronicle's header and first index need about 70 KiB, a batch up to 256 KiB. */
    /** Chronicle's header and first index need about 70 KiB, a batch up to 256 KiB. */
    private static final int USUAL_BYTES = 384 << 10;
    /** So far the search goes if a few batches are damaged. */
    private static final int DAMAGED_BYTES = 1 << 20;

    private static final int MAX_BATCH_BYTES = 16 << 20;

    private static final int ALIGNMENT = 4;

    /**
     * Searches the beginning of a file for a valid batch.
     *
     * @return null if there is none: nothing was appended yet, or all batches there are damaged
     * @throws IOException if the file cannot be read
     */
    public static @Nullable FirstBatch find(Path file, long journalId) throws IOException {
        try (DiskFile channel = Disk.of(file).open(file, StandardOpenOption.READ)) {
            FirstBatch first = find(channel, journalId, USUAL_BYTES);
            return first != null || channel.size() <= USUAL_BYTES ? first : find(channel, journalId, DAMAGED_BYTES);
        }
    }

    private static @Nullable FirstBatch find(DiskFile channel, long journalId, int bytes) throws IOException {
        // Grows to hold a whole batch, so that its checksum can be verified.
        ByteBuffer window = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        BatchView batch = new BatchView();
        int length = read(channel, window);
        for (int offset = 0; offset + BatchView.headerBytes() <= length; offset += ALIGNMENT) {
            if (!BatchView.isMagicAt(window, offset)) {
                continue;
            }
            BatchView.Health health =
                    batch.wrap(window, offset, MAX_BATCH_BYTES).checkHeader();
            if (health != BatchView.Health.OK || batch.journalId() != journalId) {
                continue;
            }
            if (offset + batch.length() > length && length == window.capacity() && length < MAX_BATCH_BYTES) {
                window = ByteBuffer.allocate(MAX_BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
                length = read(channel, window);
            }
            if (batch.wrap(window, offset, length - offset).check() == BatchView.Health.OK) {
                return new FirstBatch(batch.firstSequence(), batch.minTimeNs());
            }
        }
        return null;
    }

    private static int read(DiskFile channel, ByteBuffer window) throws IOException {
        while (window.hasRemaining() && channel.read(window, window.position()) > 0) {
            // Read until the window is full or the file ends.
        }
        int length = window.position();
        window.clear();
        return length;
    }
}
