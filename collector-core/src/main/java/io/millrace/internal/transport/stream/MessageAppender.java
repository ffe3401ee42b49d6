package io.millrace.internal.transport.stream;

import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.transport.EpochClock;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Appends the messages of one connection after the other to the slab of their event loop. The loop's thread. */
final class MessageAppender implements FrameSink {
    private final MessageSlabs slabs;
    private final EpochClock clock;
    private final PassOutcome outcome;
    private @Nullable StreamConnection current;
    private boolean limited;
    private boolean ignoresLimits;
    private boolean filtered;
    private long timeNs;

    MessageAppender(MessageSlabs slabs, EpochClock clock, PassOutcome outcome) {
        this.slabs = slabs;
        this.clock = clock;
        this.outcome = outcome;
    }

    /** The next messages are of this connection, received now. */
    void begin(StreamConnection connection) {
        current = connection;
        limited = false;
        timeNs = clock.epochNs();
    }

    /** True if the last message since {@link #begin} has no place because of a rate limit; false if there was no free slab. */
    boolean isLimited() {
        return limited;
    }

    /** True if the last message was filtered: it is in no batch. */
    boolean isFiltered() {
        return filtered;
    }

    /** Rate limits do not apply from now on. */
    void ignoreLimits() {
        ignoresLimits = true;
    }

    @Override
    public boolean take(ByteBuffer memory, int offset, int length, int originalLength, int marks) {
        StreamConnection connection = Objects.requireNonNull(current);
        filtered = !slabs.policy().takes(connection.listener.id, memory, offset, length);
        if (filtered) {
            connection.placed();
            outcome.received(1);
            slabs.filtered(length, (marks & FrameWriter.TRUNCATED) != 0);
            return true;
        }
        FrameWriter batch = slabs.acquire();
        if (batch == null) {
            return false;
        }
        if (!ignoresLimits && !connection.charge(slabs.policy(), length, timeNs)) {
            limited = true;
            return false;
        }
        boolean first = batch.count() == 0;
        if (!batch.append(connection.source(), memory, offset, length, originalLength, marks, timeNs)) {
            if (first) {
                throw tooLarge();
            }
            slabs.submit();
            batch = slabs.acquire();
            if (batch == null) {
                return false;
            }
            first = true;
            if (!batch.append(connection.source(), memory, offset, length, originalLength, marks, timeNs)) {
                throw tooLarge();
            }
        }
        if (first) {
            slabs.began(timeNs);
        }
        connection.placed();
        outcome.received(1);
        slabs.received(length, (marks & FrameWriter.TRUNCATED) != 0);
        return true;
    }

    private static IllegalStateException tooLarge() {
        return new IllegalStateException("an empty slab does not hold a message of maxMessage bytes");
    }
}
