package io.millrace.bench.trial;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The load of a trial: the settings of the sender.
 *
 * @param rate datagrams per second; {@link #MAX} for no limit
 * @param seconds its length
 * @param size bytes per payload
 * @param sources the number of sources
 * @param gsoSegments datagrams per GSO batch (UDP_SEGMENT); 1 for a system call per datagram
 * @param pattern the pattern of {@code millrace send}
 * @param burst datagrams that are due at the same time; 0 or 1 for none, as in runs of earlier versions
 */
public record Load(long rate, double seconds, int size, int sources, int gsoSegments, String pattern, int burst) {
    /** The rate without a limit. */
    public static final long MAX = 0;

    /** No load at all: for what a receiver costs while nothing arrives. */
    private static final long IDLE = -1;

    /** Above this rate the sender uses GSO: a system call per datagram would be too slow. */
    public static final long MAX_RATE_WITHOUT_GSO = 150_000;

    /** The number of segments per GSO batch above that. */
    private static final int GSO_SEGMENTS = 16;

    /** The most that every kernel with UDP_SEGMENT takes. */
    private static final int MAX_GSO_SEGMENTS = 64;

    /** The longest UDP payload over IPv4 in bytes, which a GSO batch may not exceed. */
    private static final int MAX_BATCH_BYTES = 65_507;

    /** The number of sources: the kernel spreads flows over several sockets. */
    public static final int SOURCES = 16;

    /** More sources have addresses of their own: a receiver that tracks sources tells them apart by their addresses. */
    private static final int MAX_SOURCES_OF_ONE_ADDRESS = 500;

    private static final String LOOPBACK_NET = "127.0.0.0/8";

    /** The default pattern of the sender. */
    private static final String SEQUENCE = "sequence";

    private static final double MAX_EXPECTED = 1_500_000;

    /** The shortest payload with a syslog header before the identity. */
    private static final int MIN_SYSLOG_SIZE = 96;

    /** A load without bursts. */
    public Load(long rate, double seconds, int size, int sources, int gsoSegments, String pattern) {
        this(rate, seconds, size, sources, gsoSegments, pattern, 1);
    }

    /** A load with GSO if the rate needs it, and with syslog if the size has room for it. */
    public static Load of(long rate, double seconds, int size) {
        boolean gso = rate == MAX || rate > MAX_RATE_WITHOUT_GSO;
        return new Load(
                rate, seconds, size, SOURCES, gso ? GSO_SEGMENTS : 1, size < MIN_SYSLOG_SIZE ? SEQUENCE : "rfc3164");
    }

    /** How messages on a connection are told apart (RFC 6587). */
    public enum Framing {
        NEWLINE(StreamLoad.NEWLINE),
        OCTET_COUNTING(StreamLoad.OCTET_COUNTING),
        /** Newlines, over TLS. */
        TLS(StreamLoad.TLS);

        private final String pattern;

        Framing(String pattern) {
            this.pattern = pattern;
        }
    }

    /** The highest rate of the long warm-up: a higher one would fill the warm memory before the trial. */
    public static final long MAX_WARM_UP_RATE = 300_000;

    /**
     * The end of the warm-up, at the rate of the trial: code takes other branches there, which a JVM compiles again. It compiles after
     * a number of calls, so this is a number of datagrams. In the first seven million, compiling takes about 100 ns per datagram.
     */
    public static final long BURST_DATAGRAMS = 7_500_000;

    /** TCP connections without a limit of the rate; the sources are the connections. */
    public static Load connections(int count, double seconds, int size, Framing framing) {
        return new Load(MAX, seconds, size, count, 1, framing.pattern);
    }

    /** No load for a time. */
    public static Load idle(double seconds) {
        return new Load(IDLE, seconds, 0, 0, 1, SEQUENCE);
    }

    /** True if nothing is sent. */
    @JsonIgnore
    public boolean isIdle() {
        return rate == IDLE;
    }

    /** The same load with another length. */
    public Load during(double otherSeconds) {
        return new Load(rate, otherSeconds, size, sources, gsoSegments, pattern, burst);
    }

    /** The end of the warm-up of a load that is faster than the rest of it; at the maximum rate 5 s, because the rate is not known. */
    public Load burst(double maxSeconds) {
        return during(Math.min((double) BURST_DATAGRAMS / expectedRate(), maxSeconds));
    }

    /** How many datagrams are expected in a trial and its warm-up. */
    double expectedWithWarmUp(double warmUpSeconds) {
        double before = isFasterThanWarmUp()
                ? MAX_WARM_UP_RATE * warmUpSeconds + expectedRate() * burst(warmUpSeconds).seconds
                : expectedRate() * warmUpSeconds;
        return before + expectedRate() * seconds;
    }

    /** True for a rate that is too high for a warm-up. */
    boolean isFasterThanWarmUp() {
        return rate == MAX || rate > MAX_WARM_UP_RATE;
    }

    /** The same load at another rate. */
    Load at(long otherRate) {
        return new Load(otherRate, seconds, size, sources, gsoSegments, pattern);
    }

    /** The same load with a system call per datagram. */
    public Load withoutGso() {
        return new Load(rate, seconds, size, sources, 1, pattern);
    }

    /** The same load with the largest GSO batches if it uses GSO, so that the sender is not the limit of a rate. */
    public Load withLargestGso() {
        int segments = gsoSegments == 1 ? 1 : Math.max(1, Math.min(MAX_GSO_SEGMENTS, MAX_BATCH_BYTES / size));
        return new Load(rate, seconds, size, sources, segments, pattern);
    }

    /** The same load from another number of sources. */
    public Load from(int otherSources) {
        return new Load(rate, seconds, size, otherSources, gsoSegments, pattern);
    }

    /** The same load, of which a number of datagrams each is due at once. */
    public Load inBurstsOf(int datagrams) {
        return new Load(rate, seconds, size, sources, gsoSegments, pattern, datagrams);
    }

    /** The expected rate in datagrams per second. */
    double expectedRate() {
        return rate == MAX ? MAX_EXPECTED : Math.max(0, rate);
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
        if (sources > MAX_SOURCES_OF_ONE_ADDRESS) {
            options.addAll(List.of("--source-net", LOOPBACK_NET));
        }
        if (burst > 1) {
            options.addAll(List.of("--burst", Integer.toString(burst)));
        }
        if (gsoSegments > 1) {
            options.addAll(List.of("--gso", Integer.toString(gsoSegments)));
        }
        return options;
    }

    /** The rate for people. */
    public String rateText() {
        return rate == MAX ? "maximum rate" : String.format(Locale.ROOT, "%,d/s", rate);
    }

    @Override
    public String toString() {
        return isIdle()
                ? String.format(Locale.ROOT, "idle for %.1f s", seconds)
                : String.format(
                        Locale.ROOT,
                        "%s%s of %,d bytes for %.1f s%s",
                        rateText(),
                        burst > 1 ? String.format(Locale.ROOT, " in bursts of %,d", burst) : "",
                        size,
                        seconds,
                        gsoSegments > 1 ? " (GSO)" : "");
    }
}
