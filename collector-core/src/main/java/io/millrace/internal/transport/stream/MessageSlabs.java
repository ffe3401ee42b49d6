package io.millrace.internal.transport.stream;

import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SafeBatches;
import org.jspecify.annotations.Nullable;

/** What the connections of an event loop write their messages to. The loop's thread. */
public interface MessageSlabs {
    /** The batch to append to; null if there is no free slab, which is back-pressure. */
    @Nullable
    FrameWriter batch();

    /** Passes the slab on: the next message does not fit. */
    void submit();

    /** Takes note of when the batch got its first frame. */
    void began(long nowNs);

    /** Takes note of a message that was appended. */
    void received(int payloadBytes, boolean truncated);

    /** Takes note of a message that was not appended, because it is less severe than the minimum. */
    void filtered(int payloadBytes, boolean truncated);

    /** Something was read: a cycle of the event loop is due. */
    void wake();

    /** Runs the cycle now if it is overdue: others wait while many connections are read. Connections may be closed by it. */
    void giveWay();

    /** The number of the batch that is being filled, and how many are safe in the journal. */
    SafeBatches safe();

    /** Who may send, what, and how much. */
    Policy policy();
}
