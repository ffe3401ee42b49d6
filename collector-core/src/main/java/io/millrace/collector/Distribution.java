package io.millrace.collector;

/**
 * The distributions of a shard: the only definition of their names and meanings. Percentiles cover the last minute and
 * are not kept over a restart.
 */
public enum Distribution {
    /** Datagrams per batch. Recorded by the journal writer. */
    BATCH_DATAGRAMS("batch.datagrams", Unit.COUNT, "Datagrams in a batch"),
    /** Slabs in the ring when a slab is submitted. Recorded by the receiver. */
    RING_DEPTH("ring.depth", Unit.COUNT, "Slabs that waited for the journal writer when one was submitted"),
    /** Duration of a cycle of the receiver that received something. Recorded by the receiver. */
    RECEIVER_CYCLE("receiver.cycle", Unit.NANOSECONDS, "Length of a cycle of the receiver"),
    /** Duration of a cycle of the journal writer that appended something. Recorded by the journal writer. */
    WRITER_CYCLE("writer.cycle", Unit.NANOSECONDS, "Length of a cycle of the journal writer"),
    /** Duration of an append. Recorded by the journal writer. */
    APPEND("append", Unit.NANOSECONDS, "Length of an append of a batch"),
    /** Duration of a sync, unless the sync level is {@code page-cache}. Recorded by the thread that syncs. */
    SYNC("journal.sync", Unit.NANOSECONDS, "Length of a sync of the journal"),
    /** From the receive time of a batch's earliest datagram to the end of its append. Recorded by the journal writer. */
    JOURNAL_LATENCY(
            "journal.latency",
            Unit.NANOSECONDS,
            "From the receive time of a batch's earliest datagram to the end of its append");

    /** The unit of the values. */
    public enum Unit {
        /** A count. */
        COUNT(1 << 20),
        /** Nanoseconds, up to 100 seconds. */
        NANOSECONDS(100_000_000_000L);

        private final long highest;

        Unit(long highest) {
            this.highest = highest;
        }

        /** The highest value; greater values are recorded as this one. */
        public long highest() {
            return highest;
        }
    }

    private final String metricName;
    private final Unit unit;
    private final String help;

    Distribution(String name, Unit unit, String help) {
        this.metricName = name;
        this.unit = unit;
        this.help = help;
    }

    /** The name in metrics, in dotted form without prefix and unit, such as {@code journal.latency}. */
    public String metricName() {
        return metricName;
    }

    /** The unit of the values. */
    public Unit unit() {
        return unit;
    }

    /** The description in one line. */
    public String help() {
        return help;
    }

    /**
     * Percentiles of a {@link Distribution} over the last 30 to 60 seconds, in its unit.
     *
     * @param count values recorded since the start of the process
     * @param p50 the 50th percentile
     * @param p90 the 90th percentile
     * @param p99 the 99th percentile
     * @param p999 the 99.9th percentile
     * @param max the maximum
     */
    public record Percentiles(long count, long p50, long p90, long p99, long p999, long max) {
        /** The percentiles of no values. */
        public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0, 0);
    }
}
