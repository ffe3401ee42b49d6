package io.millrace.internal.gelf;

import io.millrace.internal.gelf.ChunkAssembler.Chunks;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for chunks, and which of them leaves first when there is no room: the oldest one of the source network with the
 * most bytes. Networks of up to a {@value #FAIR_NETWORKS}th of the room count as equal; if all are, the oldest message of all leaves.
 *
 * <p>So a flood from a few addresses, which may be forged, displaces itself only. One from thousands displaces what has waited
 * longest: chunks of a message arrive within milliseconds, and the room lasts for longer than that. A network is a /24 of IPv4 or a
 * /64 of IPv6. A message counts as a part of the room even if its chunks are small, so the room limits the number of messages too.
 * The work for a chunk does not depend on the number of messages. One thread.
 */
final class WaitingMessages {
    private static final int FAIR_NETWORKS = 64;
    private static final long IPV4_HOSTS = 0xff;

    private final long maxBytes;
    private final long minMessageBytes;
    private long bytes;

    /** The oldest first. */
    private final Map<ChunkAssembler.Key, Chunks> messages = new LinkedHashMap<>();

    private final Map<Network, Share> shares = new HashMap<>();

    /** The networks above their fair part, the largest last; fewer than {@link #FAIR_NETWORKS}. */
    private final TreeSet<Share> heavy =
            new TreeSet<>(Comparator.comparingLong((Share share) -> share.bytes).thenComparing(share -> share.network));

    private record Network(long high, long low) implements Comparable<Network> {
        static Network of(ChunkAssembler.Key key) {
            return key.high() == 0 ? new Network(0, key.low() & ~IPV4_HOSTS) : new Network(key.high(), 0);
        }

        @Override
        public int hashCode() {
            return (int)
                    ((((high * ChunkAssembler.Key.MULTIPLIER) ^ low) * ChunkAssembler.Key.MULTIPLIER) >>> Integer.SIZE);
        }

        @Override
        public int compareTo(Network other) {
            return high == other.high ? Long.compare(low, other.low) : Long.compare(high, other.high);
        }
    }

    private static final class Share {
        private final Network network;
        private final Set<Chunks> messages = new LinkedHashSet<>();
        private long bytes;

        Share(Network network) {
            this.network = network;
        }
    }

    WaitingMessages(long maxBytes, int maxMessages) {
        this.maxBytes = maxBytes;
        this.minMessageBytes = maxBytes / maxMessages;
    }

    @Nullable
    Chunks get(ChunkAssembler.Key key) {
        return messages.get(key);
    }

    void add(Chunks message) {
        messages.put(message.key(), message);
        Share share = shares.computeIfAbsent(Network.of(message.key()), Share::new);
        share.messages.add(message);
        resize(share, message, minMessageBytes);
    }

    /** Counts a chunk that was added to the message. */
    void grown(Chunks message) {
        long size = size(message);
        if (size > message.counted) {
            resize(share(message), message, size);
        }
    }

    void remove(Chunks message) {
        messages.remove(message.key());
        Share share = share(message);
        share.messages.remove(message);
        resize(share, message, 0);
        if (share.messages.isEmpty()) {
            shares.remove(share.network);
        }
    }

    private long size(Chunks message) {
        return Math.max(minMessageBytes, message.bytes());
    }

    private Share share(Chunks message) {
        return Objects.requireNonNull(shares.get(Network.of(message.key())));
    }

    private void resize(Share share, Chunks message, long size) {
        if (isHeavy(share)) {
            heavy.remove(share);
        }
        long more = size - message.counted;
        message.counted = size;
        share.bytes += more;
        bytes += more;
        if (isHeavy(share)) {
            heavy.add(share);
        }
    }

    private boolean isHeavy(Share share) {
        return share.bytes > maxBytes / FAIR_NETWORKS;
    }

    boolean isOverfull() {
        return bytes > maxBytes;
    }

    /** The message that leaves first when there is no room. */
    Chunks firstToLeave() {
        return heavy.isEmpty()
                ? messages.values().iterator().next()
                : heavy.last().messages.iterator().next();
    }

    /** The message that has waited longest; null if there is none. */
    @Nullable
    Chunks oldest() {
        return messages.isEmpty() ? null : messages.values().iterator().next();
    }
}
