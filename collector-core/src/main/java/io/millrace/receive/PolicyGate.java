package io.millrace.receive;

import io.millrace.policy.Policy;
import io.millrace.record.BatchWriter;

/**
 * Applies the policy to the frames of one read, and removes rejected ones from the batch. A rejected datagram is in the slab for
 * a moment, where only its receiver sees it. So this works with every transport. One thread.
 */
final class PolicyGate implements BatchWriter.FrameTest {
    private final Policy policy;
    private int denied;
    private int limited;

    PolicyGate(Policy policy) {
        this.policy = policy;
    }

    Policy policy() {
        return policy;
    }

    /** Removes the frames since the batch's mark that the policy rejects; returns their number. */
    int reject(BatchWriter batch) {
        denied = 0;
        limited = 0;
        batch.retain(this);
        return denied + limited;
    }

    @Override
    public boolean keeps(boolean ipv6, long high, long low, int payloadBytes, long receiveTimeNs) {
        Policy.Verdict verdict = policy.verdict(ipv6, high, low, payloadBytes, receiveTimeNs);
        if (verdict == Policy.Verdict.DENIED) {
            denied++;
        } else if (verdict == Policy.Verdict.RATE_LIMITED) {
            limited++;
        }
        return verdict == Policy.Verdict.PASS;
    }

    /** The number of datagrams of the last read whose source may not send. */
    int denied() {
        return denied;
    }

    /** The number of datagrams of the last read above a rate limit. */
    int limited() {
        return limited;
    }
}
