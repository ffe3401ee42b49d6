package io.millrace.sender;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long the payloads of a run are.
 *
 * @param text as it was given
 * @param least the shortest
 * @param most the longest
 * @param imix whether the sizes are those of {@link #IMIX}, and not anything from the shortest to the longest
 */
record Sizes(String text, int least, int most, boolean imix) {
    static final String TAKES = "takes a whole number of bytes up to 65507, a range such as 100-1400, or imix";

    /**
     * The mix: 7 short messages, 4 of middle length and 1 that fills an Ethernet frame, of 12. Lengths of log messages
     * in the proportions of the usual mix of packets, whose shortest could not hold a syslog header and an identity.
     */
    private static final int[] IMIX = {125, 125, 125, 125, 125, 125, 125, 512, 512, 512, 512, 1400};

    private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

    static Sizes of(int size) {
        return new Sizes(Integer.toString(size), size, size, false);
    }

    /** Reads what {@link #TAKES} describes; the shortest that a pattern takes is checked by the pattern. */
    static Sizes parse(String text) {
        if (text.equals("imix")) {
            return new Sizes(text, IMIX[0], IMIX[IMIX.length - 1], true);
        }
        Matcher matcher = RANGE.matcher(text);
        if (matcher.matches()) {
            int least = Integer.parseInt(matcher.group(1));
            int most = matcher.group(2) == null ? least : Integer.parseInt(matcher.group(2));
            if (least >= 1 && least <= most && most <= SendPlan.MAX_SIZE) {
                return new Sizes(text, least, most, false);
            }
        }
        throw OptionValues.refused(text, TAKES);
    }

    boolean isFixed() {
        return least == most;
    }

    /** The size that belongs to a number of {@link Mix}. */
    int at(long mixed) {
        if (least == most) {
            return least;
        }
        return imix ? IMIX[Mix.upper(mixed, IMIX.length)] : least + Mix.upper(mixed, most - least + 1);
    }
}
