package io.millrace.counters;

/**
 * What a shard measures again and again, of which percentiles are told: the one place for names and meanings. They are of
 * the last minute, and not kept over a restart.
 */
public enum Distribution {
    /** Datagrams of a batch. Recorded by the journal writer. */
    BATCH_DATAGRAMS("batch.datagrams", Unit.COUNT, "Datagrams in a batch"),
    /** Slabs in the ring when one is submitted. Recorded by the receiver. */
    RING_DEPTH("ring.depth", Unit.COUNT, "Slabs that waited for the journal writer when one was submitted"),
    /** Length of a cycle of the receiver that received something. Recorded by the receiver. */
    RECEIVER_CYCLE("receiver.cycle", Unit.NANOSECONDS, "Length of a cycle of the receiver"),
    /** Length of a cycle of the journal writer that appended something. Recorded by the journal writer. */
    WRITER_CYCLE("writer.cycle", Unit.NANOSECONDS, "Length of a cycle of the journal writer"),
    /** Length of an append. Recorded by the journal writer. */
    APPEND("append", Unit.NANOSECONDS, "Length of an append of a batch"),
    /** Length of a sync, unless the sync level is {@code page-cache}. Recorded by the thread that syncs. */
    SYNC("journal.sync", Unit.NANOSECONDS, "Length of a sync of the journal"),
    /** From the receive time of a batch's earliest datagram to the end of its append. Recorded by the journal writer. */
    JOURNAL_LATENCY(
            "journal.latency",
            Unit.NANOSECONDS,
            "From the receive time of a batch's earliest datagram to the end of its append");

    /** What values are of. */
    public enum Unit {
        /** A number of things. */
        COUNT(1 << 20),
        /** Nanoseconds, up to a hundred seconds. */
        NANOSECONDS(100_000_000_000L);

        private final long highest;

        Unit(long highest) {
            this.highest = highest;
        }

        /** Values above are recorded as this one. */
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

    /** Name in metrics, in dotted form and without prefix and unit, for example {@code journal.latency}. */
    public String metricName() {
        return metricName;
    }

    /** What values are of. */
    public Unit unit() {
        return unit;
    }

    /** One line for a person. */
    public String help() {
        return help;
    }
}
