package io.millrace.internal.policy;

import java.util.Arrays;
import java.util.Map;

/** The least severe messages that each input takes. Immutable. */
final class SeverityLimits {
    private static final int INPUTS = 256;

    private final byte[] byInput = new byte[INPUTS];

    /**
     * Creates the limits.
     *
     * @param limit of all other inputs, 0 (emergency) to 7 (debug, which is no limit)
     * @param own the limits of single inputs, by id
     */
    SeverityLimits(int limit, Map<Integer, Integer> own) {
        Arrays.fill(byInput, (byte) limit);
        own.forEach((input, ownLimit) -> byInput[input] = ownLimit.byteValue());
    }

    /** True if the message is severe enough; a message without a severity (-1) is. */
    boolean takes(int input, int severity) {
        return severity <= byInput[input];
    }
}
