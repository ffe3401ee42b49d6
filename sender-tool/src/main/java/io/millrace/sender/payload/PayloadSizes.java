package io.millrace.sender.payload;

import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.value.Quantity;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lengths of the payloads of a run.
 *
 * @param text the text of the option
 * @param min the shortest
 * @param max the longest
 * @param imix whether the sizes are those of {@link #IMIX}, not a range
 */
public record PayloadSizes(String text, int min, int max, boolean imix) {
    static final String TAKES = "accepts an integer of bytes up to 65507, a range such as 100-1400, or imix";

    /**
     * Of 12 messages, 7 are short, 4 of medium length and 1 fills an Ethernet frame. These are the proportions of the
     * usual IMIX with longer messages: its shortest packet has no room for a syslog header and an identity.
     */
    private static final int[] IMIX = {125, 125, 125, 125, 125, 125, 125, 512, 512, 512, 512, 1400};

    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    public static PayloadSizes of(int size) {
        return new PayloadSizes(Integer.toString(size), size, size, false);
    }

    /** Parses a size, a range or {@code imix}. The pattern checks the minimum. */
    public static PayloadSizes parse(String text) {
        if (text.equals("imix")) {
            return new PayloadSizes(text, IMIX[0], IMIX[IMIX.length - 1], true);
        }
        Matcher matcher = RANGE.matcher(text);
        if (matcher.matches()) {
            int min = Integer.parseInt(matcher.group(1));
            int max = matcher.group(2) == null ? min : Integer.parseInt(matcher.group(2));
            if (min >= 1 && min <= max && max <= SendPlan.MAX_PAYLOAD_BYTES) {
                return new PayloadSizes(text, min, max, false);
            }
        }
        throw Quantity.invalid(text, TAKES);
    }

    public boolean isFixed() {
        return min == max;
    }

    /** The size for a hash of {@link SplitMix64}. */
    int at(long hash) {
        if (min == max) {
            return min;
        }
        return imix ? IMIX[SplitMix64.upper(hash, IMIX.length)] : min + SplitMix64.upper(hash, max - min + 1);
    }
}
