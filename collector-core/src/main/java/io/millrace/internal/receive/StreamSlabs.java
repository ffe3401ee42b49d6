package io.millrace.internal.receive;

import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SafeBatches;
import io.millrace.internal.transport.stream.MessageSlabs;
import org.jspecify.annotations.Nullable;

/** The slabs of a receiver, for the connections of its event loop. The loop's thread. */
final class StreamSlabs implements MessageSlabs {
    private final Receiver receiver;
    private final SlabFiller filler;
    private final Runnable makeRoom;
    private final Runnable wake;
    private final Runnable passInTime;

    /**
     * Creates the slabs for the connections of an event loop.
     *
     * @param makeRoom runs the journal writer if it shares this thread, so that it releases slabs
     * @param wake schedules a cycle of the event loop
     * @param passInTime runs a cycle of the event loop if one is overdue
     */
    StreamSlabs(Receiver receiver, Runnable makeRoom, Runnable wake, Runnable passInTime) {
        this.receiver = receiver;
        this.filler = receiver.filler();
        this.makeRoom = makeRoom;
        this.wake = wake;
        this.passInTime = passInTime;
    }

    @Override
    public @Nullable FrameWriter acquire() {
        FrameWriter batch = filler.acquire();
        if (batch == null) {
            // Reads come one after the other, without a cycle between them.
            makeRoom.run();
            batch = filler.acquire();
        }
        return batch;
    }

    @Override
    public void submit() {
        filler.flush();
    }

    @Override
    public void began(long nowNs) {
        filler.began(nowNs);
    }

    @Override
    public void received(int payloadBytes, boolean truncated) {
        filler.received(1, payloadBytes, truncated ? 1 : 0);
    }

    @Override
    public void filtered(int payloadBytes, boolean truncated) {
        filler.received(1, payloadBytes, truncated ? 1 : 0);
        filler.rejected(0, 1, 0);
    }

    @Override
    public void wake() {
        wake.run();
    }

    @Override
    public void giveWay() {
        passInTime.run();
    }

    @Override
    public SafeBatches safe() {
        return filler.safe();
    }

    @Override
    public Policy policy() {
        return receiver.policy();
    }
}
