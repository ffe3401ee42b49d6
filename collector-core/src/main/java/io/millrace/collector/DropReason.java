package io.millrace.collector;

import org.jspecify.annotations.Nullable;

/**
 * The drop points between network card and journal, in the order of the path; {@link #AFTER_STOP} is the last. The losses of {@code /api/status} and the
 * admin page, and the host-wide part of {@code millrace ledger}, are generated from this list. A test compares the
 * page of drop reasons with it. {@code CONTRIBUTING.md} has the steps to add one. Outputs report their losses themselves.
 */
public enum DropReason {
    /** The network card. */
    NIC(
            "network card",
            Stage.CARD,
            "enlarge the ring (ethtool -G), add queues, spread interrupts over more CPUs",
            HostCounter.NIC),
    /** The driver of the card. */
    DRIVER(
            "driver",
            Stage.CARD,
            "ethtool -S shows why; a protocol that nobody wants is harmless",
            HostCounter.NIC_DROPPED),
    /** The queue of packets that a CPU has not processed yet. */
    SOFTNET_BACKLOG(
            "CPU's backlog",
            Stage.CARD,
            "raise net.core.netdev_max_backlog, spread the load over more CPUs",
            HostCounter.SOFTNET_BACKLOG),
    /** IP, because of missing memory. */
    IP_DISCARDS("IP memory", Stage.KERNEL, "the host needs more memory for packets", HostCounter.IP_DISCARDS),
    /** A fragmented datagram with a missing fragment. */
    FRAGMENTS("fragments", Stage.KERNEL, "make senders stay below the path's MTU", HostCounter.FRAGMENTS),
    /** A wrong checksum. */
    UDP_CHECKSUM(
            "UDP checksum",
            Stage.KERNEL,
            "a cable, a card or a device in between changes packets",
            HostCounter.UDP_CHECKSUM),
    /** A port without a listener. */
    UDP_NO_PORT(
            "no such port",
            Stage.KERNEL,
            "a sender uses a wrong port, or a program did not run",
            HostCounter.UDP_NO_PORT),
    /** The memory shared by all UDP sockets. */
    UDP_MEMORY("UDP memory", Stage.KERNEL, "raise net.ipv4.udp_mem", HostCounter.UDP_MEMORY),
    /** A full receive buffer of any socket of the host. */
    ANY_SOCKET(
            "any socket's buffer",
            Stage.KERNEL,
            "what exceeds our socket buffers was lost by other programs",
            HostCounter.UDP_RECEIVE_BUFFER),
    /** A full receive buffer of our sockets. */
    SOCKET_BUFFER(
            "our socket buffers",
            Stage.SOCKETS,
            "'millrace doctor' says which buffer or limit is too small",
            "socketBuffer",
            "SO_MEMINFO of each socket, or /proc/net/udp and udp6"),
    /** A full receive buffer of our sockets while the journal was blocked. */
    JOURNAL_FULL(
            "journal blocked",
            Stage.SOCKETS,
            "make room on the disk, or set journal.retention",
            "journalFull",
            "the same, while the journal could not be appended to"),
    /** A source that the policy denies. */
    DENIED("denied", Stage.RECEIVER, "policy.allow and policy.deny ask for it", "denied", "allow and deny lists"),
    /** A message that is less severe than the minimum. */
    FILTERED("filtered", Stage.RECEIVER, "minimumSeverity asks for it", "filtered", "minimumSeverity"),
    /** A source above its rate limit. */
    RATE_LIMITED(
            "rate limited",
            Stage.RECEIVER,
            "the rate limits of the policy ask for it; the log names the sources",
            "rateLimited",
            "rate limits"),
    /** The memory of a process that was killed. */
    CRASH(
            "memory at a kill",
            Stage.JOURNAL,
            "a process was killed with datagrams in its memory; journal.sync limits it",
            "crash",
            "counters and journal, compared at the next start"),
    /** After the stop began. */
    AFTER_STOP(
            "after the stop",
            Stage.SOCKETS,
            "stop the senders first, or set --stop-linger",
            "afterStop",
            "SO_MEMINFO of each socket, once it refuses");

    /** The part of the path in which datagrams are lost, in its order. */
    public enum Stage {
        /** The network card, its driver, and the queue behind them. */
        CARD,
        /** IP and UDP. */
        KERNEL,
        /** The sockets of the inputs. */
        SOCKETS,
        /** The receivers, which apply the policy. */
        RECEIVER,
        /** The journal. */
        JOURNAL
    }

    private final String title;
    private final Stage stage;
    private final String remedy;
    private final String key;
    private final String source;
    private final @Nullable HostCounter hostCounter;

    DropReason(String title, Stage stage, String remedy, HostCounter hostCounter) {
        this.title = title;
        this.stage = stage;
        this.remedy = remedy;
        this.key = hostCounter.key();
        this.source = hostCounter.source();
        this.hostCounter = hostCounter;
    }

    DropReason(String title, Stage stage, String remedy, String key, String source) {
        this.title = title;
        this.stage = stage;
        this.remedy = remedy;
        this.key = key;
        this.source = source;
        this.hostCounter = null;
    }

    /** The title in a few words. */
    public String title() {
        return title;
    }

    /** Where in the path it is. */
    public Stage stage() {
        return stage;
    }

    /** What to do about it, in a few words. */
    public String remedy() {
        return remedy;
    }

    /** The name in JSON, such as {@code socketBuffer}. */
    public String key() {
        return key;
    }

    /** The source of the value. */
    public String source() {
        return source;
    }

    /**
     * True if the count contains only our datagrams. Otherwise it is a count of the whole host and an upper bound of
     * ours, unless the kernel counts GRO batches.
     */
    public boolean isOurs() {
        return hostCounter == null;
    }

    /** True if the configuration asks for it, so that it is no fault. */
    public boolean isByPolicy() {
        return this == DENIED || this == FILTERED || this == RATE_LIMITED;
    }

    /** The losses since the start; null if unavailable. */
    public @Nullable Long now(Ledger ledger) {
        if (hostCounter != null) {
            return ledger.hostWide().get(hostCounter);
        }
        return this == CRASH
                ? Long.valueOf(ledger.crash())
                : this == AFTER_STOP ? ledger.afterStop() : dropped(ledger.dropped());
    }

    /** The losses since the data directory was created; null if unavailable. Host counters are not kept. */
    public @Nullable Long lifetime(Ledger ledger) {
        if (hostCounter != null) {
            return null;
        }
        Ledger.Lifetime all = ledger.lifetime();
        return this == CRASH
                ? Long.valueOf(all.crash())
                : this == AFTER_STOP ? Long.valueOf(all.afterStop()) : dropped(all.dropped());
    }

    private @Nullable Long dropped(Ledger.Dropped dropped) {
        return switch (this) {
            case SOCKET_BUFFER -> dropped.socketBuffer();
            case JOURNAL_FULL -> dropped.journalFull();
            case DENIED -> Long.valueOf(dropped.denied());
            case FILTERED -> Long.valueOf(dropped.filtered());
            case RATE_LIMITED -> Long.valueOf(dropped.rateLimited());
            default -> throw new IllegalStateException(this + " is none of the drops");
        };
    }
}
