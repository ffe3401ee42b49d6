package io.millrace.transport.stream;

import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.counters.StreamCounter;
import io.millrace.counters.StreamCounters;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A bound listening socket of an input in a shard, with what its connections have in common. */
public final class StreamListener {
    final StreamInput input;
    final int id;
    final ServerChannel channel;
    final ConnectionLimits limits;
    final StreamCounters counters;
    final FramingCounts counts = new FramingCounts();
    /** How long a connection may bring nothing; 0 for any time. */
    final long idleNs;

    long readBytes;

    private final @Nullable SocketFile file;
    private boolean registered;
    private long publishedRead;
    private long publishedPayload;
    private long publishedFraming;
    private long publishedSkipped;

    StreamListener(
            StreamInput input,
            int id,
            ServerChannel channel,
            ConnectionLimits limits,
            StreamCounters counters,
            @Nullable SocketFile file) {
        this.input = input;
        this.id = id;
        this.channel = channel;
        this.limits = limits;
        this.counters = counters;
        this.file = file;
        this.idleNs = input.settings().idleTimeout().toNanos();
    }

    /** What it has brought. Any thread. */
    public StreamCounters counters() {
        return counters;
    }

    /** Takes note that an event loop has it, which closes it. */
    void registered() {
        registered = true;
    }

    /** Adds what framers have counted to the counters. */
    void publish(ShardCounters shard) {
        if (readBytes == publishedRead
                && counts.payloadBytes == publishedPayload
                && counts.framingBytes == publishedFraming
                && counts.skippedBytes == publishedSkipped) {
            return;
        }
        shard.add(Counter.STREAM_READ_BYTES, readBytes - publishedRead);
        shard.add(Counter.STREAM_PAYLOAD_BYTES, counts.payloadBytes - publishedPayload);
        shard.add(Counter.STREAM_FRAMING_BYTES, counts.framingBytes - publishedFraming);
        shard.add(Counter.STREAM_SKIPPED_BYTES, counts.skippedBytes - publishedSkipped);
        publishedRead = readBytes;
        publishedPayload = counts.payloadBytes;
        publishedFraming = counts.framingBytes;
        publishedSkipped = counts.skippedBytes;
        counters.set(StreamCounter.READ_BYTES, readBytes);
        counters.set(StreamCounter.MESSAGES, counts.messages);
        counters.set(StreamCounter.TRUNCATED, counts.truncated);
        counters.set(StreamCounter.INCOMPLETE, counts.incomplete);
        counters.set(StreamCounter.FRAMING_ERRORS, counts.errors);
        counters.set(StreamCounter.PAYLOAD_BYTES, counts.payloadBytes);
        counters.set(StreamCounter.FRAMING_BYTES, counts.framingBytes);
        counters.set(StreamCounter.SKIPPED_BYTES, counts.skippedBytes);
    }

    /** Closes it: nobody can connect any more. The loop's thread, or before it was registered any. */
    void close() throws IOException {
        if (registered) {
            var unused = channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
        if (file != null) {
            file.remove();
        }
    }
}
