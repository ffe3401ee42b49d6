package io.millrace.internal.transport.stream;

import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SafeBatches;
import org.jspecify.annotations.Nullable;

/** The slabs to which the connections of an event loop append their messages. The loop's thread. */
public interface MessageSlabs {
    /** Acquires a free slab unless there is one already, and returns its batch; null if none is free, which is back-pressure. */
    @Nullable
    FrameWriter acquire();

    /** Passes the slab on: the next message does not fit. */
    void submit();

    /** Records the time of the first frame of the batch. */
    void began(long nowNs);

    /** Counts a message that was appended. */
    void received(int payloadBytes, boolean truncated);

    /** Counts a message that was not appended, because it is less severe than the minimum. */
    void filtered(int payloadBytes, boolean truncated);

    /** Something was read: a cycle of the event loop is due. */
    void wake();

    /** Runs the cycle now if it is overdue: others wait while many connections are read. Connections may be closed by it. */
    void giveWay();

    /** The number of the batch that is being filled, and how many are safe in the journal. */
    SafeBatches safe();

    /** The current policy. */
    Policy policy();
}
