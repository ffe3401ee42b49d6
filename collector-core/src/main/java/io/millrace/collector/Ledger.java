package io.millrace.collector;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The loss ledger: it accounts for every datagram. Values are since the start of the process, those of {@link Lifetime}
 * since the data directory was created. Null means unavailable, never 0. {@link DropReason} lists the drop points.
 *
 * <p>{@code received = journaled + merged + duplicateChunks + inFlight + } the reasons that are {@linkplain DropReason#isAfterReceipt after receipt} holds in every ledger, and for a sender on
 * this host {@code sent = received + } those at the sockets, when no datagram is in transit.
 *
 * @param startedAt the start of the process; null if unknown
 * @param stoppedAt the stop of the process; null if it is running or was killed
 * @param received datagrams read from the sockets
 * @param journaled datagrams appended to the journal
 * @param inFlight datagrams in slabs on their way to the journal, and chunks that wait for others
 * @param chunks what became of chunks of GELF messages
 * @param drops losses by reason, without those that are unavailable; those of a killed process are counted at the next start, in {@link
 *     Lifetime}
 * @param hostWide drops of the whole host; each is an upper bound, and some include others
 * @param truncated datagrams truncated to max-datagram; they are journaled unless the policy rejects them
 * @param expiredUnread datagrams that retention deleted before all outputs had acknowledged them
 * @param streams the bytes of connections
 * @param lastKilled true if the process before this one was killed, or its host failed: what waited in its sockets may be lost, uncounted
 * @param lifetime the totals since the data directory was created
 */
public record Ledger(
        @Nullable Instant startedAt,
        @Nullable Instant stoppedAt,
        long received,
        long journaled,
        long inFlight,
        Chunks chunks,
        Map<DropReason, Long> drops,
        HostCounters hostWide,
        long truncated,
        long expiredUnread,
        Streams streams,
        boolean lastKilled,
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
     * Chunks of GELF messages that are not datagrams of their own in the journal.
     *
     * @param merged chunks that are in the frame of another: N - 1 of a message
     * @param duplicates copies of other chunks, which are not journaled
     */
    public record Chunks(long merged, long duplicates) {
        /** All of them. */
        public long sum() {
            return merged + duplicates;
        }
    }

    /**
     * Totals since the data directory was created.
     *
     * @param received datagrams read from the sockets
     * @param journaled datagrams appended to the journal
     * @param chunks what became of chunks of GELF messages
     * @param drops losses by reason, without those that are unavailable
     * @param expiredUnread datagrams that retention deleted before all outputs had acknowledged them
     * @param kills processes that were killed, or whose host failed, as the next process found
     */
    public record Lifetime(
            long received, long journaled, Chunks chunks, Map<DropReason, Long> drops, long expiredUnread, long kills) {
        /** The losses of a reason; null if unavailable. */
        public @Nullable Long dropped(DropReason reason) {
            return drops.get(reason);
        }
    }

    /** The losses of a reason that counts only our datagrams; null if unavailable. */
    public @Nullable Long dropped(DropReason reason) {
        return drops.get(reason);
    }
}
