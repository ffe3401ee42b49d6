package io.millrace.collector;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A counter of a shard: the only definition of its id, name and meaning. A {@link DropReason} has its own. The metrics and the tables of {@code
 * docs/reference/record-format.md} and {@code docs/reference/metrics.md} are generated from it. The ledger is not: {@link LedgerAccounting}
 * reads single counters. {@code docs/develop/recipes.md} has the steps to add a counter.
 *
 * <p>Ids are positions in the {@link CounterFile}. They are never reused and never change their meaning.
 */
public final class Counter {
    private static final List<Counter> OWN = new ArrayList<>();

    /** Datagrams read from the sockets. Written by the receiver. */
    public static final Counter RECEIVED_DATAGRAMS =
            own(0, Kind.TOTAL, "received.datagrams", "Datagrams read from the sockets");

    /** Stored payload bytes of these datagrams. Written by the receiver. */
    public static final Counter RECEIVED_BYTES =
            own(1, Kind.TOTAL, "received.bytes", "Stored payload bytes of the received datagrams");

    /** Datagrams longer than {@code max-datagram}, which are truncated. Written by the receiver. */
    public static final Counter TRUNCATED_DATAGRAMS =
            own(2, Kind.TOTAL, "truncated.datagrams", "Datagrams truncated to max-datagram");

    /** Failed receive calls. Written by the receiver. */
    public static final Counter RECEIVE_ERRORS = own(3, Kind.TOTAL, "receive.errors", "Failed receive calls");

    /** Time in which the receiver did not read because no slab was free, in ns. Written by the receiver. */
    public static final Counter BACK_PRESSURE_NS =
            own(6, Kind.TOTAL, "back.pressure.seconds", "Time without reading because no slab was free");

    /** The maximum number of slabs that waited for the journal writer since the start. Written by the receiver. */
    public static final Counter RING_DEPTH_MAX =
            own(7, Kind.HIGH_WATER, "ring.depth.max", "Maximum number of slabs that waited for the journal writer");

    /** The longest cycle of the receiver since the start, in ns. Written by the receiver. */
    public static final Counter RECEIVER_CYCLE_MAX_NS =
            own(8, Kind.HIGH_WATER, "receiver.cycle.max.seconds", "Longest cycle of the receiver");

    /** 1 while the drops of a socket are unavailable. Written by the receiver. */
    public static final Counter SOCKET_DROPS_UNKNOWN =
            own(10, Kind.STATE, "socket.drops.unknown", "Whether the drops of the sockets are unavailable, 1 or 0");

    /** 1 if datagrams rejected at the stop cannot be counted. Written by the thread that starts and stops. */
    public static final Counter AFTER_STOP_UNKNOWN =
            own(11, Kind.STATE, "after.stop.unknown", "Whether datagrams after the stop cannot be counted, 1 or 0");

    /** Cycles of the receiver longer than 100 ms. Written by the receiver. */
    public static final Counter RECEIVER_STALLS =
            own(12, Kind.TOTAL, "receiver.stalls", "Cycles of the receiver longer than 100 ms");

    /** Bytes read from connections. Written by the receiver. */
    public static final Counter STREAM_READ_BYTES =
            own(15, Kind.TOTAL, "stream.read.bytes", "Bytes read from connections");

    /** Of these, what is in messages, as stored. Written by the receiver. */
    public static final Counter STREAM_PAYLOAD_BYTES =
            own(16, Kind.TOTAL, "stream.payload.bytes", "Bytes read from connections that are in messages");

    /** Of these, octet counts, line ends and empty messages. Written by the receiver. */
    public static final Counter STREAM_FRAMING_BYTES = own(
            17,
            Kind.TOTAL,
            "stream.framing.bytes",
            "Bytes read from connections that are octet counts, line ends and empty messages");

    /** Of these, what messages have beyond {@code maxMessage}, and what is not understood. Written by the receiver. */
    public static final Counter STREAM_SKIPPED_BYTES = own(
            18,
            Kind.TOTAL,
            "stream.skipped.bytes",
            "Bytes read from connections that are beyond maxMessage, or not understood");

    /** Bytes that waited in the kernel when the stop closed their connections. Written by the receiver. */
    public static final Counter AFTER_STOP_BYTES =
            own(19, Kind.TOTAL, "after.stop.bytes", "Bytes that were not read when the stop closed their connections");

    // The ids 21 to 23 are unused.
    /** Chunks of GELF messages that are in the frame of another: N - 1 of a message. Written by the receiver. */
    public static final Counter MERGED_CHUNKS =
            own(24, Kind.TOTAL, "merged.chunks", "Received chunks that were merged into another datagram (GELF)");

    /** Repeated chunks of GELF messages, which are not journaled. Written by the receiver. */
    public static final Counter DUPLICATE_CHUNKS =
            own(25, Kind.TOTAL, "duplicate.chunks", "Received chunks that were copies of others (GELF)");

    /** Chunks that are journaled as they came. Written by the receiver. */
    public static final Counter INCOMPLETE_CHUNKS = own(
            26,
            Kind.TOTAL,
            "incomplete.chunks",
            "Chunks that were journaled as they came, because others were missing or there was no room (GELF)");

    /** Journaled datagrams, which is also the shard's next sequence. Written by the journal writer. */
    public static final Counter JOURNALED_DATAGRAMS =
            own(32, Kind.TOTAL, "journaled.datagrams", "Datagrams appended to the journal");

    /** Batches; each is one excerpt of the journal. Written by the journal writer. */
    public static final Counter JOURNALED_BATCHES =
            own(33, Kind.TOTAL, "journaled.batches", "Batches appended to the journal");

    /** Bytes of these batches, including headers. Written by the journal writer. */
    public static final Counter JOURNALED_BYTES =
            own(34, Kind.TOTAL, "journaled.bytes", "Bytes appended to the journal, including headers");

    /** Failed appends; the batch is retried. Written by the journal writer. */
    public static final Counter JOURNAL_ERRORS =
            own(35, Kind.TOTAL, "journal.errors", "Failed appends to the journal, which are retried");

    /** The longest cycle of the journal writer since the start, in ns. Written by the journal writer. */
    public static final Counter WRITER_CYCLE_MAX_NS =
            own(36, Kind.HIGH_WATER, "writer.cycle.max.seconds", "Longest cycle of the journal writer");

    /** 1 while appends fail. Written by the journal writer. */
    public static final Counter JOURNAL_BLOCKED =
            own(37, Kind.STATE, "journal.blocked", "Whether the journal is blocked, 1 or 0");

    /** Cycles of the journal writer longer than 100 ms. Written by the journal writer. */
    public static final Counter WRITER_STALLS =
            own(38, Kind.TOTAL, "writer.stalls", "Cycles of the journal writer longer than 100 ms");

    /** 1 while appends fail because the disk is full. Written by the journal writer. */
    public static final Counter JOURNAL_FULL = own(39, Kind.STATE, "journal.full", "Whether the disk is full, 1 or 0");

    /** Syncs of the journal. Written by the thread that syncs. */
    public static final Counter JOURNAL_SYNCS = own(40, Kind.TOTAL, "journal.syncs", "Syncs of the journal");

    /** Failed syncs, after which data may not be on disk. Written by the thread that syncs. */
    public static final Counter JOURNAL_SYNC_ERRORS =
            own(41, Kind.TOTAL, "journal.sync.errors", "Failed syncs of the journal");

    /** Datagrams deleted by retention, which is also the shard's oldest sequence. Written by retention. */
    public static final Counter EXPIRED_DATAGRAMS =
            own(48, Kind.TOTAL, "expired.datagrams", "Datagrams that retention deleted from the journal");

    /** Of these, datagrams that an output had not acknowledged. Written by retention. */
    public static final Counter EXPIRED_UNREAD_DATAGRAMS = own(
            49,
            Kind.TOTAL,
            "expired.unread.datagrams",
            "Datagrams that retention deleted before all outputs had acknowledged them");

    /** Sequence numbers before the end of an exported journal that it has no datagram for. Written by the export only. */
    public static final Counter NOT_EXPORTED_DATAGRAMS =
            own(65, Kind.TOTAL, "not.exported.datagrams", "Datagrams before and between those of an exported journal");

    /** Processes that ended without a stop, each counted by the next one. Written at the start only. */
    public static final Counter PROCESS_KILLS = own(
            66,
            Kind.TOTAL,
            "process.kills",
            "Processes that were killed, or whose host failed: what waited in their sockets may be lost, uncounted");

    /** How the value of a cell changes. */
    public enum Kind {
        /** Only increases, over the whole life of the data directory. */
        TOTAL,
        /** The maximum since the start of the process. */
        HIGH_WATER,
        /** A current value of this process. */
        STATE
    }

    private final int id;
    private final Kind kind;
    private final String metricName;
    private final String help;

    /** All counters, in the order of their ids. */
    private static final class All {
        static final List<Counter> LIST = Stream.concat(OWN.stream(), DropReason.counters())
                .sorted(Comparator.comparingInt(Counter::id))
                .toList();
    }

    private Counter(int id, Kind kind, String name, String help) {
        this.id = id;
        this.kind = kind;
        this.metricName = name;
        this.help = help;
    }

    private static Counter own(int id, Kind kind, String name, String help) {
        Counter counter = new Counter(id, kind, name, help);
        OWN.add(counter);
        return counter;
    }

    /** The counter of a reason for loss. */
    static Counter ofLoss(int id, String name, String help) {
        return new Counter(id, Kind.TOTAL, name, help);
    }

    /** All counters, in the order of their ids. */
    public static List<Counter> values() {
        return All.LIST;
    }

    /** The position of the cell among the cells of a shard. */
    public int id() {
        return id;
    }

    /** How the value of the cell changes. */
    public Kind kind() {
        return kind;
    }

    /** The name in metrics, in dotted form without prefix, such as {@code received.datagrams}. */
    public String metricName() {
        return metricName;
    }

    /** The description in one line. */
    public String help() {
        return help;
    }

    /** The {@link #metricName()}. */
    @Override
    public String toString() {
        return metricName;
    }
}
