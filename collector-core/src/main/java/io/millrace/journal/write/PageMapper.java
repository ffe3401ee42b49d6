package io.millrace.journal.write;

import io.millrace.linux.MappedMemory;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.OS;

/**
 * Maps the pages of the current file before batches are copied into them: one system call for many pages instead of a page fault for
 * each. Their blocks must be allocated. The writer's thread.
 */
final class PageMapper {
    /** So few system calls are made that they cost nothing, and so few pages that they stay in the CPU's cache. */
    private static final long STEP_BYTES = 256 << 10;

    private boolean works = true;
    /** Pages are mapped up to this position of the file. */
    private long mappedTo;

    /** The next append is to another file. */
    void begin() {
        mappedTo = 0;
    }

    /**
     * Maps what an append needs, and more.
     *
     * @param memory the file's memory
     * @param position where the append begins
     * @param length how long it is, in bytes
     */
    void map(Bytes<?> memory, long position, int length) {
        long from = Math.max(position, mappedTo);
        long to = position + length;
        if (works && to > from) {
            // Chronicle maps a quarter of a block more than it needs, so this lies within the mapping.
            mappedTo = Math.max(to, from + STEP_BYTES);
            long address = memory.addressForWrite(from);
            long offset = address % OS.pageSize();
            works = MappedMemory.populate(address - offset, mappedTo - from + offset);
        }
    }
}
