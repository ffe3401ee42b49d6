package io.millrace.sender;

/**
 * How the datagrams of a run are dealt out.
 *
 * <p>Datagrams are numbered over the whole run in the order of their due times. They are dealt to the sources in GSO batches:
 * source 0 takes the first GSO batch, source 1 the second, and so on in turns. A thread has every {@code threads}-th source,
 * so that it can tell its datagrams' numbers and due times without asking the other threads.
 *
 * <p>Where not all sources can be open at once, the sources are divided into groups of neighbours: all datagrams of the
 * first group come before those of the second.
 *
 * @param sources how many sources there are
 * @param threads how many threads share them; source i belongs to thread i mod threads
 * @param gso how many datagrams leave in one system call, from one source and at one due time
 * @param burst how many datagrams share a due time
 * @param group how many sources take turns; all of them, unless not all can be open
 */
record Layout(int sources, int threads, int gso, int burst, int group) {
    /** The most sources a run may have: their numbers fit the identity. */
    static final int MAX_SOURCES = 1_000_000;

    /** Each source is an open socket, and processes are commonly allowed some 20,000 of them or fewer. */
    static final int MAX_OPEN = 10_000;

    /** What the kernel takes in one call with UDP_SEGMENT. */
    static final int MAX_GSO = 64;

    Layout {
        if (sources < 1 || sources > MAX_SOURCES) {
            throw new IllegalArgumentException("no such number of sources: " + sources);
        }
        if (threads < 1 || threads > sources) {
            throw new IllegalArgumentException(Text.format(
                    "%,d threads need at least %,d sources, each its own, and there are %,d: raise --sources",
                    threads, threads, sources));
        }
        if (gso < 1 || gso > MAX_GSO || burst < 1 || group < 1 || group > sources) {
            throw new IllegalArgumentException(
                    "no such layout: GSO batch " + gso + ", burst " + burst + ", group " + group);
        }
        if (burst > 1 && burst % gso != 0) {
            throw new IllegalArgumentException(Text.format(
                    "a burst is made of whole GSO batches: --burst takes a multiple of --gso %d, not %,d", gso, burst));
        }
        if (group < sources && (gso > 1 || threads > 1)) {
            throw new IllegalArgumentException("sources in groups have one thread and no GSO batches");
        }
    }

    /** One thread, all sources in turns, nothing in GSO batches or bursts. */
    static Layout of(int sources) {
        return new Layout(sources, 1, 1, 1, sources);
    }

    /** The first of the datagrams that datagram {@code n} shares its due time with. */
    long firstOfBurst(long n) {
        return n - n % Math.max(burst, gso);
    }

    /** How many datagrams a run may have before a source uses a sequence number twice. */
    long sequences() {
        return ((1L << Integer.SIZE) / gso) * gso * sources;
    }
}
