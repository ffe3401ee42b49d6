package io.millrace.internal.receive;

import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.ring.SafeBatches;
import io.millrace.internal.ring.SlabRing;
import org.jspecify.annotations.Nullable;

/** The {@link SlabFiller} of a receiver without sockets. */
public final class SimulatedFiller {
    private final SlabFiller filler;

    public SimulatedFiller(SlabRing ring, ShardCells cells) {
        filler = new SlabFiller(ring, cells);
    }

    public @Nullable FrameWriter acquire() {
        return filler.acquire();
    }

    public void began(long nowNs) {
        filler.began(nowNs);
    }

    public void received(int payloadBytes) {
        filler.received(1, payloadBytes, 0);
    }

    public void publish() {
        filler.publish();
    }

    public void submitIfDue(boolean socketsEmpty, long nowNs) {
        filler.submitIfDue(socketsEmpty, nowNs);
    }

    public void flush() {
        filler.flush();
    }

    public SafeBatches safe() {
        return filler.safe();
    }
}
