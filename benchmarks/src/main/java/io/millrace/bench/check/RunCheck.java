package io.millrace.bench.check;

import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.sender.payload.SequencePayload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Check of the datagrams of one run of the sender: which ones of each source arrived, how often and in which order. If the
 * receive time is known, latency is measured from the intended send time, so delays of the sender count too. One thread.
 */
public final class RunCheck {
    /** The maximum number of sources with their own percentiles; the others only count for the run. */
    public static final int MAX_SOURCES_WITH_LATENCY = 100;

    /** Due times are rounded, and both clocks have a limited resolution. */
    private static final int CLOCK_TOLERANCE_MICROS = 100;

    private static final long UNKNOWN_TIME = Long.MIN_VALUE;
    private static final int DIGITS = 3;
    private static final int SOURCE_DIGITS = 2;
    /** A clock step may make a datagram arrive before its intended send time. */
    private static final long MAX_LATENCY_MICROS = TimeUnit.MINUTES.toMicros(30);

    private final long runId;
    private final SequencePayload payload = new SequencePayload();
    private final byte[] head = new byte[0x1_0000];
    private final Histogram latency = new Histogram(1, MAX_LATENCY_MICROS, DIGITS);
    private @Nullable SourceCheck[] sources = new SourceCheck[16];
    private int sourceCount;
    private long distinct;
    private long others;
    private long early;

    /**
     * Makes an empty check.
     *
     * @param runId the run to search for, from 0 to 2^32 - 1
     */
    public RunCheck(long runId) {
        this.runId = runId;
    }

    public static RunCheck of(Journal journal, long runId) throws IOException {
        RunCheck check = new RunCheck(runId);
        check.add(journal);
        return check;
    }

    /** The run it searches for. */
    public long runId() {
        return runId;
    }

    /** Adds all datagrams of a journal. */
    public void add(Journal journal) throws IOException {
        try (JournalCursor cursor = journal.cursor().fromBeginning().open()) {
            while (cursor.poll((datagram, position) -> add(datagram)) > 0) {
                // Until the end of the journal.
            }
        }
    }

    private void add(DatagramView datagram) {
        datagram.copyPayload(head, 0);
        SourceCheck source = identify(head, 0, datagram.payloadLength());
        if (source == null) {
            others++;
            return;
        }
        count(source);
        source.addEndpoint(endpoint(datagram.sourceAddress().getAddress(), datagram.sourcePort()));
        recordLatency(source, datagram.receiveTimeNs());
    }

    /** Address and port as a number: exact for IPv4, a hash for IPv6. */
    private static long endpoint(byte[] address, int port) {
        long number = 0;
        for (byte part : address) {
            number = number * (address.length == Integer.BYTES ? 0x100 : 0x100_0000_01b3L) + (part & 0xff);
        }
        return number << Short.SIZE ^ port;
    }

    /** Adds a payload without a receive time. */
    public void add(byte[] bytes, int offset, int length) {
        add(bytes, offset, length, UNKNOWN_TIME);
    }

    private void add(byte[] bytes, int offset, int length, long receiveTimeNs) {
        SourceCheck source = identify(bytes, offset, length);
        if (source == null) {
            others++;
            return;
        }
        count(source);
        if (receiveTimeNs != UNKNOWN_TIME) {
            recordLatency(source, receiveTimeNs);
        }
    }

    /** Adds a payload without a receive time if it is of the run; else returns false. */
    boolean addIfOfRun(byte[] bytes, int offset, int length) {
        SourceCheck source = identify(bytes, offset, length);
        if (source == null) {
            return false;
        }
        count(source);
        return true;
    }

    /** Adds the complete lines of a buffer, without their line feeds, and returns the offset after the last one. */
    public int addLines(byte[] bytes, int end) {
        return addLines(bytes, end, UNKNOWN_TIME);
    }

    /** The same with the time at which they were received, in ns since the epoch. */
    public int addLines(byte[] bytes, int end, long receiveTimeNs) {
        return LineFile.lines(bytes, end, (line, offset, length) -> add(line, offset, length, receiveTimeNs));
    }

    private void recordLatency(SourceCheck source, long receiveTimeNs) {
        // The format keeps the low 32 bits of the intended time, so the difference is right modulo 2^32.
        int micros = (int) (receiveTimeNs / 1000 - payload.intendedTimeMicros());
        if (micros < -CLOCK_TOLERANCE_MICROS) {
            early++;
        }
        long recorded = Math.min(Math.max(micros, 0), MAX_LATENCY_MICROS);
        latency.recordValue(recorded);
        source.recordLatency(recorded);
    }

    private @Nullable SourceCheck identify(byte[] bytes, int offset, int length) {
        return payload.find(bytes, offset, length, (int) runId) ? source(payload.source()) : null;
    }

    private void count(SourceCheck source) {
        if (source.add(payload.sequence())) {
            distinct++;
        }
    }

    private SourceCheck source(int number) {
        if (number >= sources.length) {
            sources = Arrays.copyOf(sources, Math.max(number + 1, sources.length * 2));
        }
        SourceCheck source = sources[number];
        if (source == null) {
            sourceCount++;
            source = new SourceCheck(
                    number,
                    number < MAX_SOURCES_WITH_LATENCY ? new Histogram(1, MAX_LATENCY_MICROS, SOURCE_DIGITS) : null);
            sources[number] = source;
        }
        return source;
    }

    /** The sources with datagrams, by number. */
    public List<SourceCheck> sources() {
        List<SourceCheck> seen = new ArrayList<>(sourceCount);
        for (SourceCheck source : sources) {
            if (source != null) {
                seen.add(source);
            }
        }
        return seen;
    }

    /** One source, if it has datagrams. */
    public Optional<SourceCheck> find(int number) {
        return number < sources.length ? Optional.ofNullable(sources[number]) : Optional.empty();
    }

    /** The number of sources with datagrams. */
    public int sourceCount() {
        return sourceCount;
    }

    /** The number of different source addresses and ports; 0 if they are unknown. */
    public long endpoints() {
        return sources().stream()
                .mapToLong(SourceCheck::endpoint)
                .filter(endpoint -> endpoint != 0)
                .distinct()
                .count();
    }

    /** Sources with several addresses or ports: another sender, or a replay, used their numbers. */
    public long moved() {
        return sources().stream().filter(SourceCheck::hasMoved).count();
    }

    /** Distinct datagrams of the run. */
    public long distinct() {
        return distinct;
    }

    public long duplicated() {
        return sum(SourceCheck::duplicated);
    }

    /** Datagrams that arrived after a later one of their source. */
    public long reordered() {
        return sum(SourceCheck::reordered);
    }

    /** Missing sequence numbers below the highest of their source. */
    public long holes() {
        return sum(SourceCheck::holes);
    }

    /** Payloads of other origin. */
    public long others() {
        return others;
    }

    /**
     * Datagrams received more than 100 µs before their intended send time: a clock was set, or hosts differ. Their latency
     * counts as 0.
     */
    public long early() {
        return early;
    }

    /** Latency from the intended send time in µs; empty without receive times. */
    public Histogram latency() {
        return latency;
    }

    private long sum(java.util.function.ToLongFunction<SourceCheck> count) {
        return sources().stream().mapToLong(count).sum();
    }
}
