package io.millrace.receive;

import io.millrace.policy.Policy;
import io.millrace.record.BatchWriter;

/**
 * Asks the policy about the frames of one read, and takes those it refuses out of the batch: however a transport reads, a
 * refused datagram is in the slab for a moment, and nobody but its receiver sees it there. One thread.
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

    /** Takes the frames since the batch's mark out of it that the policy rejects; returns how many. */
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

    /** Datagrams of the last read whose source may not send. */
    int denied() {
        return denied;
    }

    /** Datagrams of the last read that were above a limit. */
    int limited() {
        return limited;
    }
}
