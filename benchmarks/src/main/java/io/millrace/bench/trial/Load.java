package io.millrace.bench.trial;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What the sender is asked for.
 *
 * @param rate datagrams per second; {@link #MAX} for as many as the sender can
 * @param seconds for how long
 * @param size bytes in each payload
 * @param sources how many source ports take turns
 * @param gso datagrams in one system call, split by the kernel (UDP_SEGMENT); 1 for a call each
 * @param pattern what is in the payload, as {@code millrace send --pattern} names it
 */
public record Load(long rate, double seconds, int size, int sources, int gso, String pattern) {
    /** The rate that asks for as much as the sender can send. */
    public static final long MAX = 0;

    /** So many per second a sender reaches with a system call each, with some room; above it sends GRO batches. */
    public static final long MAX_WITHOUT_GSO = 150_000;

    /** The length of the GRO batches above that. */
    public static final int GSO = 16;

    /** The fewest sources that GRO batches are spread over: receivers that look at flows must see some. */
    public static final int GSO_SOURCES = 16;

    /** The identity and nothing else, which is what the sender does if it is not told. */
    private static final String SEQUENCE = "sequence";

    private static final double EXPECTED_AT_MOST = 1_500_000;

    /** The shortest payload with a syslog header before the identity. */
    private static final int SMALLEST_SYSLOG = 96;

    /** A load as the suites use it: GRO batches where they are needed, syslog where it fits. */
    public static Load of(long rate, double seconds, int size) {
        boolean gso = rate == MAX || rate > MAX_WITHOUT_GSO;
        return new Load(rate, seconds, size, GSO_SOURCES, gso ? GSO : 1, size < SMALLEST_SYSLOG ? SEQUENCE : "rfc3164");
    }

    /** The same for another time. */
    public Load during(double otherSeconds) {
        return new Load(rate, otherSeconds, size, sources, gso, pattern);
    }

    /** The same with a system call for each datagram. */
    public Load withoutGso() {
        return new Load(rate, seconds, size, sources, 1, pattern);
    }

    /** The same from other sources. */
    public Load from(int otherSources) {
        return new Load(rate, seconds, size, otherSources, gso, pattern);
    }

    /** About how many datagrams per second are to be expected. */
    double expectedRate() {
        return rate == MAX ? EXPECTED_AT_MOST : rate;
    }

    List<String> options() {
        List<String> options = new ArrayList<>(List.of(
                "--rate",
                rate == MAX ? "max" : Long.toString(rate),
                "--duration",
                Math.round(seconds * 1000) + "ms",
                "--size",
                Integer.toString(size),
                "--sources",
                Integer.toString(sources)));
        if (!pattern.equals(SEQUENCE)) {
            options.addAll(List.of("--pattern", pattern));
        }
        if (gso > 1) {
            options.addAll(List.of("--gso", Integer.toString(gso)));
        }
        return options;
    }

    private String rateText() {
        return rate == MAX ? "all the sender can" : String.format(Locale.ROOT, "%,d/s", rate);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s of %,d bytes for %.1f s%s",
                rateText(),
                size,
                seconds,
                gso > 1 ? " (GSO batches)" : "");
    }
}
