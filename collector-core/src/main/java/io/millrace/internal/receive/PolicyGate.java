package io.millrace.internal.receive;

import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.DatagramPredicate;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;

/**
 * Applies the policy to the frames of one read, and removes rejected ones from the batch. A rejected datagram is in the slab for
 * a moment, where only its receiver sees it. So this works with every transport. One thread.
 */
final class PolicyGate implements DatagramPredicate {
    private final Policy policy;
    private int denied;
    private int filtered;
    private int limited;

    PolicyGate(Policy policy) {
        this.policy = policy;
    }

    Policy policy() {
        return policy;
    }

    /** Removes the frames since the batch's mark that the policy rejects, and counts them; returns their number. */
    int reject(FrameWriter batch, SlabFiller filler) {
        denied = 0;
        filtered = 0;
        limited = 0;
        batch.retain(this);
        filler.rejected(denied, filtered, limited);
        return denied + filtered + limited;
    }

    @Override
    public boolean keeps(DatagramView datagram) {
        Policy.Verdict verdict = policy.verdict(datagram);
        switch (verdict) {
            case DENIED -> denied++;
            case FILTERED -> filtered++;
            case RATE_LIMITED -> limited++;
            case PASS -> {}
        }
        return verdict == Policy.Verdict.PASS;
    }
}
