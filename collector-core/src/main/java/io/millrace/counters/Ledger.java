package io.millrace.counters;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where every datagram went. Values are since the start of the process, those of {@link Lifetime} since the data
 * directory was made. Null is "could not be read", never 0. {@link DropReason} lists the losses along the way.
 *
 * <p>{@code received = journaled + denied + rateLimited + crash + inFlight} holds in every ledger, and for a sender on
 * this host {@code sent = received + socketBuffer + journalFull + afterStop} once nothing is on its way.
 *
 * @param startedAt when the process began to count; null if it is not known
 * @param stoppedAt when it stopped; null if it has not, or was killed
 * @param received datagrams read from the sockets
 * @param journaled datagrams appended to the journal
 * @param inFlight datagrams in slabs on their way to the journal
 * @param crash datagrams lost in memory; those of a process that died are counted at the next start, in {@link Lifetime}
 * @param afterStop datagrams the kernel refused for us after the stop began; null if the transport cannot tell
 * @param dropped drops at our own sockets and by our own policy, by reason
 * @param hostWide drops of the whole host: each "up to", and they contain each other
 * @param truncated datagrams truncated to max-datagram, which are journaled all the same unless the policy refuses them
 * @param expiredUnread datagrams retention deleted before every output had them
 * @param streams the bytes of connections
 * @param lifetime the same since the data directory was made
 */
public record Ledger(
        @Nullable Instant startedAt,
        @Nullable Instant stoppedAt,
        long received,
        long journaled,
        long inFlight,
        long crash,
        @Nullable Long afterStop,
        Dropped dropped,
        HostCounters hostWide,
        long truncated,
        long expiredUnread,
        Streams streams,
        Lifetime lifetime) {

    /**
     * The bytes of connections: {@code read = payload + framing + skipped + pending}.
     *
     * @param read bytes read
     * @param payload bytes in messages, as stored
     * @param framing octet counts, line ends and empty messages
     * @param skipped what messages have beyond maxMessage, and what is not understood
     * @param pending bytes of messages that are not complete, or have no slab yet
     * @param afterStop bytes that were not read when the stop closed their connections
     */
    public record Streams(long read, long payload, long framing, long skipped, long pending, long afterStop) {}

    /**
     * Drops by reason.
     *
     * @param socketBuffer dropped by the kernel at our sockets, whose buffers were full; null if it cannot be read
     * @param journalFull the same while the journal could not be appended to; null if it cannot be read
     * @param denied refused by the allow and deny lists
     * @param rateLimited refused by a rate limit
     */
    public record Dropped(
            @Nullable Long socketBuffer, @Nullable Long journalFull, long denied, long rateLimited) {}

    /**
     * Totals since the data directory was made.
     *
     * @param received datagrams read from the sockets
     * @param journaled datagrams appended to the journal
     * @param crash datagrams received but not journaled when a process died
     * @param afterStop datagrams the kernel refused for us after a stop began, where that could be counted
     * @param dropped drops by reason
     * @param expiredUnread datagrams retention deleted before every output had them
     */
    public record Lifetime(
            long received, long journaled, long crash, long afterStop, Dropped dropped, long expiredUnread) {}
}
