package io.millrace.collector;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The counters of an input of connections in a shard, since the start of the process. Any thread. */
public interface StreamCounters {
    /** The name of the input. */
    String input();

    /** The shard. */
    int shard();

    /** The current value. */
    long get(StreamCounter counter);

    /** Connections that are open now. */
    long open();

    /** Bytes that were read and belong to messages that are not complete, or have no slab yet. */
    long pendingBytes();

    /** When the server certificate in use expires; null without TLS. */
    @Nullable
    Instant certificateExpiry();

    /**
     * Connections of a sender that an input refused or closed in the last minute, or could not understand.
     *
     * @param input the name of the input
     * @param reason the counter of the reason
     * @param source the address with the most of it
     * @param ofSource how many are from there
     * @param all how many there are
     */
    public record SenderNotice(String input, StreamCounter reason, String source, long ofSource, long all) {}
}
