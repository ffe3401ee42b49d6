package io.millrace.counters;

import org.jspecify.annotations.Nullable;

/**
 * The places on the way from the network card to the journal at which a datagram can be lost, in the order of the way: the
 * one list that ledger, page and documentation are made from. What happens behind the journal is told by each output.
 */
public enum DropReason {
    /** The network card. */
    NIC("network card", HostCounter.NIC),
    /** The driver of the card. */
    DRIVER("driver", HostCounter.NIC_DROPPED),
    /** The queue of packets each CPU has yet to look at. */
    SOFTNET_BACKLOG("CPU's backlog", HostCounter.SOFTNET_BACKLOG),
    /** IP, for want of memory. */
    IP_DISCARDS("IP memory", HostCounter.IP_DISCARDS),
    /** A datagram of several packets, of which one did not come. */
    FRAGMENTS("fragments", HostCounter.FRAGMENTS),
    /** A wrong checksum. */
    UDP_CHECKSUM("UDP checksum", HostCounter.UDP_CHECKSUM),
    /** A port nobody listens on. */
    UDP_NO_PORT("no such port", HostCounter.UDP_NO_PORT),
    /** The memory all UDP sockets share. */
    UDP_MEMORY("UDP memory", HostCounter.UDP_MEMORY),
    /** A full receive buffer, of whichever socket. */
    ANY_SOCKET("any socket's buffer", HostCounter.UDP_RECEIVE_BUFFER),
    /** A full receive buffer of ours. */
    SOCKET_BUFFER("our socket buffers", "socketBuffer", "SO_MEMINFO of each socket, or /proc/net/udp and udp6"),
    /** A full receive buffer of ours, because the journal took nothing. */
    JOURNAL_FULL("journal blocked", "journalFull", "the same, while the journal could not be appended to"),
    /** A source the policy denies. */
    DENIED("denied", "denied", "allow and deny lists"),
    /** A source above its limit. */
    RATE_LIMITED("rate limited", "rateLimited", "rate limits"),
    /** The memory of a process that was killed. */
    CRASH("memory at a kill", "crash", "counters and journal, compared at the next start"),
    /** The stop. */
    AFTER_STOP("after the stop", "afterStop", "SO_MEMINFO of each socket, once it refuses");

    private final String title;
    private final String key;
    private final String source;
    private final @Nullable HostCounter hostCounter;

    DropReason(String title, HostCounter hostCounter) {
        this.title = title;
        this.key = hostCounter.key();
        this.source = hostCounter.source();
        this.hostCounter = hostCounter;
    }

    DropReason(String title, String key, String source) {
        this.title = title;
        this.key = key;
        this.source = source;
        this.hostCounter = null;
    }

    /** A few words for a person. */
    public String title() {
        return title;
    }

    /** Its name in JSON, for example {@code socketBuffer}. */
    public String key() {
        return key;
    }

    /** Where the value comes from. */
    public String source() {
        return source;
    }

    /**
     * True if only datagrams meant for us are counted; false if it is a count of the whole host, of which ours are at most
     * all, unless the kernel counts GRO batches.
     */
    public boolean isOurs() {
        return hostCounter == null;
    }

    /** How many were lost here since the start; null if it cannot be read. */
    public @Nullable Long now(Ledger ledger) {
        if (hostCounter != null) {
            return ledger.hostWide().get(hostCounter);
        }
        return this == CRASH
                ? Long.valueOf(ledger.crash())
                : this == AFTER_STOP ? ledger.afterStop() : dropped(ledger.dropped());
    }

    /** How many since the data directory was made; null if it cannot be read, or is not kept, as with the host's. */
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
            case RATE_LIMITED -> Long.valueOf(dropped.rateLimited());
            default -> throw new IllegalStateException(this + " is none of the drops");
        };
    }
}
