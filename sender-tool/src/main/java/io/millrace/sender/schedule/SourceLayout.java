package io.millrace.sender.schedule;

import io.millrace.sender.value.Text;

/**
 * The order in which the sources of a run send.
 *
 * <p>Datagrams are numbered over the whole run in the order of their due times. Sources get them round robin, a batch at a
 * time: source 0 the first batch, source 1 the second, and so on. A thread owns every {@code threads}-th source. So it
 * computes the numbers and due times of its datagrams without asking other threads.
 *
 * <p>If not all sources can be open at once, they form groups of neighbours. All datagrams of the first group come before
 * those of the second.
 *
 * @param sources the number of sources
 * @param threads the number of threads; source i belongs to thread i mod threads
 * @param segments datagrams per batch: one system call sends them, from one source and at one due time
 * @param burst datagrams with the same due time
 * @param group sources that send round robin: all of them, unless not all can be open
 */
public record SourceLayout(int sources, int threads, int segments, int burst, int group) {
    /** The maximum number of sources: their numbers fit the identity. */
    public static final int MAX_SOURCES = 1_000_000;

    /** The maximum number of open sockets. Processes are commonly limited to about 20,000 file descriptors. */
    public static final int MAX_OPEN = 10_000;

    /** The maximum size of a batch: the kernel accepts no more datagrams in one call with UDP_SEGMENT. */
    public static final int MAX_SEGMENTS = 64;

    /** Checks the numbers. */
    public SourceLayout {
        if (sources < 1 || sources > MAX_SOURCES) {
            throw new IllegalArgumentException(
                    Text.format("--sources accepts a number from 1 to %d, not %d", MAX_SOURCES, sources));
        }
        if (threads < 1 || threads > sources) {
            throw new IllegalArgumentException(Text.format(
                    "%,d threads need at least %,d sources, one per thread, but there are %,d: raise --sources",
                    threads, threads, sources));
        }
        if (segments < 1 || segments > MAX_SEGMENTS || burst < 1 || group < 1 || group > sources) {
            throw new IllegalArgumentException(
                    "invalid layout: segments " + segments + ", burst " + burst + ", group " + group);
        }
        if (burst > 1 && burst % segments != 0) {
            throw new IllegalArgumentException(Text.format(
                    "a burst consists of whole batches: --burst accepts a multiple of --batch %d, not %,d",
                    segments, burst));
        }
        if (group < sources && (segments > 1 || threads > 1)) {
            throw new IllegalArgumentException("sources in groups have one thread and no batches");
        }
    }

    /** The first of the datagrams with the same due time as datagram {@code n}. */
    public long firstOfBurst(long n) {
        return n - n % Math.max(burst, segments);
    }

    /** How many datagrams a run may have before a source uses a sequence number twice. */
    public long sequences() {
        return ((1L << Integer.SIZE) / segments) * segments * sources;
    }
}
