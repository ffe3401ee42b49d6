package io.millrace.collector;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;

/**
 * The counters of a shard: the only definition of their ids, names and meanings. The metrics and the tables of {@code
 * docs/reference/record-format.md} and {@code docs/reference/metrics.md} are generated from it. The ledger is not: {@link LedgerAccounting}
 * reads single counters. {@code CONTRIBUTING.md} has the steps to add a counter.
 *
 * <p>Ids are positions in the {@link CounterFile}. They are never reused and never change their meaning.
 */
public enum Counter {
    /** Datagrams read from the sockets. Written by the receiver. */
    RECEIVED_DATAGRAMS(0, Kind.TOTAL, "received.datagrams", "Datagrams read from the sockets"),
    /** Stored payload bytes of these datagrams. Written by the receiver. */
    RECEIVED_BYTES(1, Kind.TOTAL, "received.bytes", "Stored payload bytes of the received datagrams"),
    /** Datagrams longer than {@code max-datagram}, which are truncated. Written by the receiver. */
    TRUNCATED_DATAGRAMS(2, Kind.TOTAL, "truncated.datagrams", "Datagrams truncated to max-datagram"),
    /** Failed receive calls. Written by the receiver. */
    RECEIVE_ERRORS(3, Kind.TOTAL, "receive.errors", "Failed receive calls"),
    /** Datagrams the kernel dropped at our sockets before the stop. Written by the receiver. */
    SOCKET_DROPS(
            4,
            Kind.TOTAL,
            "socket.drops",
            "Datagrams that the kernel dropped at the sockets, mostly because of a full buffer"),
    /** Datagrams rejected by the kernel after the stop began, or left in a socket at its end. Written by the receiver. */
    AFTER_STOP_DROPS(5, Kind.TOTAL, "after.stop.drops", "Datagrams rejected because the collector was stopping"),
    /** Time in which the receiver did not read because no slab was free, in ns. Written by the receiver. */
    BACK_PRESSURE_NS(6, Kind.TOTAL, "back.pressure.seconds", "Time without reading because no slab was free"),
    /** The maximum number of slabs that waited for the journal writer since the start. Written by the receiver. */
    RING_DEPTH_MAX(7, Kind.HIGH_WATER, "ring.depth.max", "Maximum number of slabs that waited for the journal writer"),
    /** The longest cycle of the receiver since the start, in ns. Written by the receiver. */
    RECEIVER_CYCLE_MAX_NS(8, Kind.HIGH_WATER, "receiver.cycle.max.seconds", "Longest cycle of the receiver"),
    /** Datagrams dropped at our sockets while the journal was blocked: by the kernel, or by a stop. Written by the receiver. */
    JOURNAL_FULL_DROPS(
            9, Kind.TOTAL, "journal.full.drops", "Datagrams dropped at the sockets while the journal was blocked"),
    /** 1 while the drops of a socket are unavailable. Written by the receiver. */
    SOCKET_DROPS_UNKNOWN(
            10, Kind.STATE, "socket.drops.unknown", "Whether the drops of the sockets are unavailable, 1 or 0"),
    /** 1 if datagrams rejected at the stop cannot be counted. Written by the thread that starts and stops. */
    AFTER_STOP_UNKNOWN(
            11, Kind.STATE, "after.stop.unknown", "Whether datagrams after the stop cannot be counted, 1 or 0"),
    /** Cycles of the receiver longer than {@link ShardCounters#STALL_NS}. Written by the receiver. */
    RECEIVER_STALLS(12, Kind.TOTAL, "receiver.stalls", "Cycles of the receiver longer than 100 ms"),
    /** Received datagrams from denied sources. Written by the receiver. */
    DENIED_DATAGRAMS(13, Kind.TOTAL, "denied.datagrams", "Received datagrams that the allow and deny lists rejected"),
    /** Received datagrams above a rate limit. Written by the receiver. */
    RATE_LIMITED_DATAGRAMS(14, Kind.TOTAL, "rate.limited.datagrams", "Received datagrams that a rate limit rejected"),
    /** Bytes read from connections. Written by the receiver. */
    STREAM_READ_BYTES(15, Kind.TOTAL, "stream.read.bytes", "Bytes read from connections"),
    /** Of these, what is in messages, as stored. Written by the receiver. */
    STREAM_PAYLOAD_BYTES(16, Kind.TOTAL, "stream.payload.bytes", "Bytes read from connections that are in messages"),
    /** Of these, octet counts, line ends and empty messages. Written by the receiver. */
    STREAM_FRAMING_BYTES(
            17,
            Kind.TOTAL,
            "stream.framing.bytes",
            "Bytes read from connections that are octet counts, line ends and empty messages"),
    /** Of these, what messages have beyond {@code maxMessage}, and what is not understood. Written by the receiver. */
    STREAM_SKIPPED_BYTES(
            18,
            Kind.TOTAL,
            "stream.skipped.bytes",
            "Bytes read from connections that are beyond maxMessage, or not understood"),
    /** Bytes that waited in the kernel when the stop closed their connections. Written by the receiver. */
    AFTER_STOP_BYTES(
            19, Kind.TOTAL, "after.stop.bytes", "Bytes that were not read when the stop closed their connections"),
    /** Received messages that are less severe than the minimum. Written by the receiver. */
    FILTERED_DATAGRAMS(
            20, Kind.TOTAL, "filtered.datagrams", "Received messages that are less severe than minimumSeverity"),
    // The ids 21 to 23 are unused.
    /** Chunks of GELF messages that are in the frame of another: N - 1 of a message. Written by the receiver. */
    MERGED_CHUNKS(24, Kind.TOTAL, "merged.chunks", "Received chunks that were merged into another datagram (GELF)"),
    /** Repeated chunks of GELF messages, which are not journaled. Written by the receiver. */
    DUPLICATE_CHUNKS(25, Kind.TOTAL, "duplicate.chunks", "Received chunks that were copies of others (GELF)"),
    /** Chunks that are journaled as they came. Written by the receiver. */
    INCOMPLETE_CHUNKS(
            26,
            Kind.TOTAL,
            "incomplete.chunks",
            "Chunks that were journaled as they came, because others were missing or there was no room (GELF)"),

    /** Journaled datagrams, which is also the shard's next sequence. Written by the journal writer. */
    JOURNALED_DATAGRAMS(32, Kind.TOTAL, "journaled.datagrams", "Datagrams appended to the journal"),
    /** Batches; each is one excerpt of the journal. Written by the journal writer. */
    JOURNALED_BATCHES(33, Kind.TOTAL, "journaled.batches", "Batches appended to the journal"),
    /** Bytes of these batches, including headers. Written by the journal writer. */
    JOURNALED_BYTES(34, Kind.TOTAL, "journaled.bytes", "Bytes appended to the journal, including headers"),
    /** Failed appends; the batch is retried. Written by the journal writer. */
    JOURNAL_ERRORS(35, Kind.TOTAL, "journal.errors", "Failed appends to the journal, which are retried"),
    /** The longest cycle of the journal writer since the start, in ns. Written by the journal writer. */
    WRITER_CYCLE_MAX_NS(36, Kind.HIGH_WATER, "writer.cycle.max.seconds", "Longest cycle of the journal writer"),
    /** 1 while appends fail. Written by the journal writer. */
    JOURNAL_BLOCKED(37, Kind.STATE, "journal.blocked", "Whether the journal is blocked, 1 or 0"),
    /** Cycles of the journal writer longer than {@link ShardCounters#STALL_NS}. Written by the journal writer. */
    WRITER_STALLS(38, Kind.TOTAL, "writer.stalls", "Cycles of the journal writer longer than 100 ms"),
    /** 1 while appends fail because the disk is full. Written by the journal writer. */
    JOURNAL_FULL(39, Kind.STATE, "journal.full", "Whether the disk is full, 1 or 0"),
    /** Syncs of the journal. Written by the thread that syncs. */
    JOURNAL_SYNCS(40, Kind.TOTAL, "journal.syncs", "Syncs of the journal"),
    /** Failed syncs, after which data may not be on disk. Written by the thread that syncs. */
    JOURNAL_SYNC_ERRORS(41, Kind.TOTAL, "journal.sync.errors", "Failed syncs of the journal"),

    /** Datagrams deleted by retention, which is also the shard's oldest sequence. Written by retention. */
    EXPIRED_DATAGRAMS(48, Kind.TOTAL, "expired.datagrams", "Datagrams that retention deleted from the journal"),
    /** Of these, datagrams that an output had not acknowledged. Written by retention. */
    EXPIRED_UNREAD_DATAGRAMS(
            49,
            Kind.TOTAL,
            "expired.unread.datagrams",
            "Datagrams that retention deleted before every output had acknowledged them"),

    /** Datagrams received but not journaled when an earlier process died. Written at the start only. */
    CRASH_DATAGRAMS(64, Kind.TOTAL, "crash.datagrams", "Datagrams lost in the memory of a process that died"),
    /** Sequence numbers before the end of an exported journal that it has no datagram for. Written by the export only. */
    NOT_EXPORTED_DATAGRAMS(
            65, Kind.TOTAL, "not.exported.datagrams", "Datagrams before and between those of an exported journal"),
    /** Processes that ended without a stop, each counted by the next one. Written at the start only. */
    PROCESS_KILLS(
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

    Counter(int id, Kind kind, String name, String help) {
        this.id = id;
        this.kind = kind;
        this.metricName = name;
        this.help = help;
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
}
