package io.millrace.collector;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The drop points between network card and journal, in the order of the path; {@link #AFTER_STOP} is the last. A constant is all that a
 * reason needs: its counter and metric, its line in the ledger as text and as JSON, its place on the page, and its row in {@code
 * docs/operate/drop-reasons.md} come from it. Outputs report their losses themselves.
 */
public enum DropReason {
    /** The network card. */
    NIC(
            "network card",
            Stage.CARD,
            HostCounter.NIC,
            "The card's ring or memory was full, because the CPU came too late.",
            "enlarge the ring (ethtool -G), add queues, spread interrupts over more CPUs",
            "[card and driver](runbook/network-card.md)"),
    /** The driver of the card. */
    DRIVER(
            "driver",
            Stage.CARD,
            HostCounter.NIC_DROPPED,
            "The driver dropped the packet, or nothing on the host wanted its protocol, which is harmless.",
            "ethtool -S shows why; a protocol that nobody wants is harmless",
            "[card and driver](runbook/network-card.md)"),
    /** The queue of packets that a CPU has not processed yet. */
    SOFTNET_BACKLOG(
            "CPU's backlog",
            Stage.CARD,
            HostCounter.SOFTNET_BACKLOG,
            "Packets arrived faster than the CPU processed them.",
            "raise net.core.netdev_max_backlog, spread the load over more CPUs",
            "[card and driver](runbook/network-card.md)"),
    /** IP, because of missing memory. */
    IP_DISCARDS(
            "IP memory",
            Stage.KERNEL,
            HostCounter.IP_DISCARDS,
            "The host had no memory for the packet.",
            "the host needs more memory for packets",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** A fragmented datagram with a missing fragment. */
    FRAGMENTS(
            "fragments",
            Stage.KERNEL,
            HostCounter.FRAGMENTS,
            "A datagram above the path's MTU arrived in fragments, and some were missing.",
            "make senders stay below the path's MTU",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** A wrong checksum. */
    UDP_CHECKSUM(
            "UDP checksum",
            Stage.KERNEL,
            HostCounter.UDP_CHECKSUM,
            "The datagram changed on its way.",
            "a cable, a card or a device in between changes packets",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** A port without a listener. */
    UDP_NO_PORT(
            "no such port",
            Stage.KERNEL,
            HostCounter.UDP_NO_PORT,
            "No process listened on the port.",
            "a sender uses a wrong port, or a program did not run",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** The memory shared by all UDP sockets. */
    UDP_MEMORY(
            "UDP memory",
            Stage.KERNEL,
            HostCounter.UDP_MEMORY,
            "All UDP sockets together reached `net.ipv4.udp_mem`.",
            "raise net.ipv4.udp_mem",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** A full receive buffer of any socket of the host. */
    ANY_SOCKET(
            "any socket's buffer",
            Stage.KERNEL,
            HostCounter.UDP_RECEIVE_BUFFER,
            "The buffer of a socket was full; sum over all sockets of the host, Millrace's included.",
            "the part above Millrace's socket buffers is of other programs",
            "[IP and UDP](runbook/ip-and-udp.md)"),
    /** A full receive buffer of our sockets. Counted by the receiver. */
    SOCKET_BUFFER(
            "Millrace's socket buffers",
            Stage.SOCKETS,
            Counter.ofLoss(
                    4,
                    "socket.drops",
                    "Datagrams that the kernel dropped at the sockets, mostly because of a full buffer"),
            "dropped.socketBuffer",
            "SO_MEMINFO of each socket, or /proc/net/udp and udp6",
            "More arrived than Millrace read, for longer than the receive buffer lasts.",
            "'millrace doctor' says which buffer or limit is too small",
            "[socket buffer](runbook/socket-buffer.md)"),
    /** A full receive buffer of our sockets while the journal was blocked, or what is left in it at a stop then. Counted by the receiver. */
    JOURNAL_FULL(
            "journal blocked",
            Stage.SOCKETS,
            Counter.ofLoss(9, "journal.full.drops", "Datagrams dropped at the sockets while the journal was blocked"),
            "dropped.journalFull",
            "the same, while the journal could not be appended to",
            "The same, while the journal could not be appended to; or the service was stopped then, with datagrams in its"
                    + " sockets.",
            "make room on the disk, or set journal.retention",
            "[a full disk](runbook/full-disk.md)"),
    /** A source that the policy denies. Counted by the receiver. */
    DENIED(
            "denied",
            Stage.RECEIVER,
            Counter.ofLoss(13, "denied.datagrams", "Received datagrams that the allow and deny lists rejected"),
            "dropped.denied",
            "allow and deny lists",
            "The allow and deny lists reject the source.",
            "policy.allow and policy.deny ask for it",
            "[rejected messages](runbook/rejected.md)"),
    /** A message that is less severe than the minimum. Counted by the receiver. */
    FILTERED(
            "filtered",
            Stage.RECEIVER,
            Counter.ofLoss(20, "filtered.datagrams", "Received messages that are less severe than minimumSeverity"),
            "dropped.filtered",
            "minimumSeverity",
            "The message is less severe than `minimumSeverity` of the policy or of its input.",
            "minimumSeverity asks for it",
            "[rejected messages](runbook/rejected.md)"),
    /** A source above its rate limit. Counted by the receiver. */
    RATE_LIMITED(
            "rate limited",
            Stage.RECEIVER,
            Counter.ofLoss(14, "rate.limited.datagrams", "Received datagrams that a rate limit rejected"),
            "dropped.rateLimited",
            "rate limits",
            "The source or its network sent more than its limit.",
            "the rate limits of the policy ask for it; the log names the sources",
            "[a flood](runbook/flood.md)"),
    /** The memory of a process that was killed. Counted at the next start. */
    CRASH(
            "memory at a kill",
            Stage.JOURNAL,
            Counter.ofLoss(64, "crash.datagrams", "Datagrams lost in the memory of a process that died"),
            "crash",
            "counters and journal, compared at the next start",
            "A process died with datagrams in its memory. The next start counts them.",
            "a process was killed with datagrams in its memory; journal.sync limits it",
            "[after a crash](runbook/crash.md)"),
    /** What was not on the disk when the power or the kernel failed. Counted at the next start. */
    POWER_FAILURE(
            "not on the disk",
            Stage.JOURNAL,
            Counter.ofLoss(
                    67,
                    "power.failure.datagrams",
                    "Upper bound of the datagrams that were not on the disk when the power failed"),
            "powerFailure",
            "the end of the journal and the reserved sequence numbers, compared at the next start",
            "The power or the kernel failed before the datagrams were on the disk. The next start counts an upper bound.",
            "journal.sync limits it; a host with a second power supply avoids it",
            "[after a crash](runbook/crash.md)"),
    /** After the stop began: rejected by the kernel, or left in a socket at its end. Counted by the receiver. */
    AFTER_STOP(
            "after the stop",
            Stage.SOCKETS,
            Counter.ofLoss(5, "after.stop.drops", "Datagrams rejected because the collector was stopping"),
            "afterStop",
            "SO_MEMINFO of each socket, once it refuses",
            "The datagram arrived while the service was stopping, or could not be journaled before the time of the stop was"
                    + " over.",
            "stop the senders first, or set --stop-linger",
            "[the stop](restart.md#signals-and-the-stop)");

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
    private final @Nullable HostCounter hostCounter;

    @SuppressWarnings("ImmutableEnumChecker") // Counters are constants.
    private final @Nullable Counter counter;

    private final String field;
    private final String source;
    private final String cause;
    private final String remedy;
    private final String page;

    DropReason(String title, Stage stage, HostCounter host, String cause, String remedy, String page) {
        this(title, stage, host, null, "hostWide." + host.key(), host.source(), cause, remedy, page);
    }

    DropReason(
            String title,
            Stage stage,
            Counter counter,
            String field,
            String source,
            String cause,
            String remedy,
            String page) {
        this(title, stage, null, counter, field, source, cause, remedy, page);
    }

    DropReason(
            String title,
            Stage stage,
            @Nullable HostCounter hostCounter,
            @Nullable Counter counter,
            String field,
            String source,
            String cause,
            String remedy,
            String page) {
        this.title = title;
        this.stage = stage;
        this.hostCounter = hostCounter;
        this.counter = counter;
        this.field = field;
        this.source = source;
        this.cause = cause;
        this.remedy = remedy;
        this.page = page;
    }

    /** The counters of our reasons. */
    static Stream<Counter> counters() {
        return Arrays.stream(values()).filter(DropReason::isOurs).map(DropReason::counter);
    }

    /** The title in a few words. */
    public String title() {
        return title;
    }

    /** Where in the path it is. */
    public Stage stage() {
        return stage;
    }

    /** The counter of a reason that {@linkplain #isOurs counts only our datagrams}. */
    public Counter counter() {
        return Objects.requireNonNull(counter);
    }

    /** The field of the ledger in JSON, such as {@code dropped.socketBuffer}. */
    public String field() {
        return field;
    }

    /** The last part of {@link #field()}, such as {@code socketBuffer}. */
    public String key() {
        return field.substring(field.indexOf('.') + 1);
    }

    /** The source of the value. */
    public String source() {
        return source;
    }

    /** What happened, as a sentence in Markdown. */
    public String cause() {
        return cause;
    }

    /** What to do about it, in a few words. */
    public String remedy() {
        return remedy;
    }

    /** A link in Markdown to the page about it, from {@code docs/operate}. */
    public String page() {
        return page;
    }

    /**
     * True if the count contains only our datagrams. Otherwise it is a count of the whole host and an upper bound of
     * ours, unless the kernel counts GRO batches.
     */
    public boolean isOurs() {
        return hostCounter == null;
    }

    /** True if the datagrams count as received: they are a part of {@code received = journaled + …}. */
    public boolean isAfterReceipt() {
        return stage == Stage.RECEIVER || stage == Stage.JOURNAL;
    }

    /** True if the configuration asks for it, so that it is no fault. */
    public boolean isByPolicy() {
        return stage == Stage.RECEIVER;
    }

    /** The losses since the start; null if unavailable. */
    public @Nullable Long now(Ledger ledger) {
        return hostCounter != null ? ledger.hostWide().get(hostCounter) : ledger.dropped(this);
    }

    /** The losses since the data directory was created; null if unavailable. Host counters are not kept. */
    public @Nullable Long lifetime(Ledger ledger) {
        return hostCounter != null ? null : ledger.lifetime().dropped(this);
    }
}
