package io.millrace.counters;

/**
 * Every counter a shard keeps: the one place for its id, its name and its meaning. Metrics, ledger and documentation are
 * made from here.
 *
 * <p>Ids are positions in the {@link CounterFile}: they are never reused and never change their meaning.
 */
public enum Counter {
    /** Datagrams read from the sockets, whatever becomes of them. Written by the receiver. */
    RECEIVED_DATAGRAMS(0, Kind.TOTAL, "received.datagrams", "Datagrams read from the sockets"),
    /** Payload bytes stored of these datagrams. Written by the receiver. */
    RECEIVED_BYTES(1, Kind.TOTAL, "received.bytes", "Payload bytes of the received datagrams, as stored"),
    /** Datagrams longer than {@code max-datagram}: their first bytes are kept. Written by the receiver. */
    TRUNCATED_DATAGRAMS(2, Kind.TOTAL, "truncated.datagrams", "Datagrams truncated to max-datagram"),
    /** System calls to receive that failed. Written by the receiver. */
    RECEIVE_ERRORS(3, Kind.TOTAL, "receive.errors", "Receive calls that failed"),
    /** Datagrams the kernel dropped at our sockets before the stop. Written by the receiver. */
    SOCKET_DROPS(
            4, Kind.TOTAL, "socket.drops", "Datagrams the kernel dropped at the sockets, mostly for a full buffer"),
    /** Datagrams the kernel refused for us once the stop had begun. Written by the receiver. */
    AFTER_STOP_DROPS(5, Kind.TOTAL, "after.stop.drops", "Datagrams refused because the collector was stopping"),
    /** Time in which a receiver did not read because no slab was free, in ns. Written by the receiver. */
    BACK_PRESSURE_NS(6, Kind.TOTAL, "back.pressure.seconds", "Time without reading because no slab was free"),
    /** The most slabs ever waiting for the journal writer since the start. Written by the receiver. */
    RING_DEPTH_MAX(7, Kind.HIGH_WATER, "ring.depth.max", "Most slabs that waited for the journal writer"),
    /** The longest cycle of the receiver since the start, in ns. Written by the receiver. */
    RECEIVER_CYCLE_MAX_NS(8, Kind.HIGH_WATER, "receiver.cycle.max.seconds", "Longest cycle of the receiver"),
    /** Datagrams the kernel dropped at our sockets while the journal took nothing. Written by the receiver. */
    JOURNAL_FULL_DROPS(
            9,
            Kind.TOTAL,
            "journal.full.drops",
            "Datagrams the kernel dropped at the sockets while the journal could not be appended to"),
    /** 1 while the drops of a socket cannot be read. Written by the receiver. */
    SOCKET_DROPS_UNKNOWN(
            10, Kind.STATE, "socket.drops.unknown", "Whether the drops of the sockets cannot be read, 1 or 0"),
    /** 1 if what the stop refuses cannot be counted. Written by the thread that starts and stops. */
    AFTER_STOP_UNKNOWN(
            11, Kind.STATE, "after.stop.unknown", "Whether what arrives after the stop cannot be counted, 1 or 0"),
    /** Cycles of the receiver longer than {@link ShardCounters#STALL_NS}. Written by the receiver. */
    RECEIVER_STALLS(12, Kind.TOTAL, "receiver.stalls", "Cycles of the receiver longer than 100 ms"),
    /** Received datagrams whose source may not send. Written by the receiver. */
    DENIED_DATAGRAMS(13, Kind.TOTAL, "denied.datagrams", "Received datagrams that the allow and deny lists refused"),
    /** Received datagrams above a rate limit. Written by the receiver. */
    RATE_LIMITED_DATAGRAMS(14, Kind.TOTAL, "rate.limited.datagrams", "Received datagrams that a rate limit refused"),
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

    /** Datagrams journaled, and so the sequence number of the shard's next one. Written by the journal writer. */
    JOURNALED_DATAGRAMS(32, Kind.TOTAL, "journaled.datagrams", "Datagrams appended to the journal"),
    /** Batches, each one excerpt of the journal. Written by the journal writer. */
    JOURNALED_BATCHES(33, Kind.TOTAL, "journaled.batches", "Batches appended to the journal"),
    /** Bytes of these batches, headers included. Written by the journal writer. */
    JOURNALED_BYTES(34, Kind.TOTAL, "journaled.bytes", "Bytes appended to the journal, headers included"),
    /** Appends that failed; the batch is kept and tried again. Written by the journal writer. */
    JOURNAL_ERRORS(35, Kind.TOTAL, "journal.errors", "Appends to the journal that failed and were tried again"),
    /** The longest cycle of the journal writer since the start, in ns. Written by the journal writer. */
    WRITER_CYCLE_MAX_NS(36, Kind.HIGH_WATER, "writer.cycle.max.seconds", "Longest cycle of the journal writer"),
    /** 1 while appends fail. Written by the journal writer. */
    JOURNAL_BLOCKED(37, Kind.STATE, "journal.blocked", "Whether the journal cannot be appended to, 1 or 0"),
    /** Cycles of the journal writer longer than {@link ShardCounters#STALL_NS}. Written by the journal writer. */
    WRITER_STALLS(38, Kind.TOTAL, "writer.stalls", "Cycles of the journal writer longer than 100 ms"),
    /** 1 while appends fail because the disk has no room. Written by the journal writer. */
    JOURNAL_FULL(39, Kind.STATE, "journal.full", "Whether the journal has no room on the disk, 1 or 0"),
    /** Times the journal was written through to the disk. Written by the thread that syncs. */
    JOURNAL_SYNCS(40, Kind.TOTAL, "journal.syncs", "Times the journal was written through to the disk"),
    /** Times that failed; what was written may not be on disk then. Written by the thread that syncs. */
    JOURNAL_SYNC_ERRORS(41, Kind.TOTAL, "journal.sync.errors", "Times the disk did not take what was written"),

    /**
     * Datagrams retention has deleted, and so the sequence number of the shard's oldest one. Written by retention.
     */
    EXPIRED_DATAGRAMS(48, Kind.TOTAL, "expired.datagrams", "Datagrams that retention deleted from the journal"),
    /** Of these, the ones that some output had not acknowledged. Written by retention. */
    EXPIRED_UNREAD_DATAGRAMS(
            49,
            Kind.TOTAL,
            "expired.unread.datagrams",
            "Datagrams that retention deleted before every output had acknowledged them"),

    /** Datagrams received but not journaled when an earlier process died. Written at the start only. */
    CRASH_DATAGRAMS(64, Kind.TOTAL, "crash.datagrams", "Datagrams lost in the memory of a process that died");

    /** How a cell changes. */
    public enum Kind {
        /** Only grows, over the whole life of the data directory. */
        TOTAL,
        /** The highest value seen since the start of the process. */
        HIGH_WATER,
        /** How something stands now, since the start of the process. */
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

    /** Position of the cell among the cells of a shard. */
    public int id() {
        return id;
    }

    /** How the cell changes. */
    public Kind kind() {
        return kind;
    }

    /** Name in metrics, in dotted form and without prefix, for example {@code received.datagrams}. */
    public String metricName() {
        return metricName;
    }

    /** One line for a person. */
    public String help() {
        return help;
    }
}
