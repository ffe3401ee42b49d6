package io.millrace.bench.check;

import io.millrace.journal.read.Journal;
import io.millrace.journal.read.JournalCursor;
import io.millrace.record.DatagramView;
import io.millrace.sender.SequencePayload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Finds the datagrams of one run of the sender, and says of each source which came and how. Where the receive time is
 * known, the latency of a datagram is counted from the time it was meant to be sent, not from when it left: what held
 * the sender up counts too. One thread.
 */
public final class RunCheck {
    /** So many sources have percentiles of their own; with more of them there are those of the run alone. */
    public static final int MAX_SOURCES_WITH_LATENCY = 100;

    /** Due times are rounded, and the clocks of the two are read in steps. */
    private static final int CLOCK_TOLERANCE_MICROS = 100;

    private static final int DIGITS = 3;
    private static final int SOURCE_DIGITS = 2;
    /** Sender and receiver of one host share a clock; a step of it may make a datagram arrive before its time. */
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
     * Makes an empty check, to be fed by {@link #add}.
     *
     * @param runId the run to look for, from 0 to 2^32 - 1
     */
    public RunCheck(long runId) {
        this.runId = runId;
    }

    /** Reads a journal to its end. */
    public static RunCheck of(Journal journal, long runId) throws IOException {
        RunCheck check = new RunCheck(runId);
        check.add(journal);
        return check;
    }

    /** Takes all a journal holds. */
    public void add(Journal journal) throws IOException {
        try (JournalCursor cursor = journal.cursor().fromBeginning().open()) {
            while (cursor.poll((datagram, position) -> add(datagram)) > 0) {
                // Until the end.
            }
        }
    }

    private void add(DatagramView datagram) {
        datagram.copyPayload(head, 0);
        SourceCheck source = identify(head, 0, datagram.payloadLength());
        if (source == null) {
            return;
        }
        count(source);
        source.cameFrom(endpoint(datagram.sourceAddress().getAddress(), datagram.sourcePort()));
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

    /** Takes a payload whose receive time is not known. */
    public void add(byte[] bytes, int offset, int length) {
        SourceCheck source = identify(bytes, offset, length);
        if (source != null) {
            count(source);
        }
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
        if (!payload.find(bytes, offset, length, (int) runId)) {
            others++;
            return null;
        }
        return source(payload.source());
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

    /** The run that was looked for. */
    public long runId() {
        return runId;
    }

    /** The sources that were seen, by number. */
    public List<SourceCheck> sources() {
        List<SourceCheck> seen = new ArrayList<>(sourceCount);
        for (SourceCheck source : sources) {
            if (source != null) {
                seen.add(source);
            }
        }
        return seen;
    }

    /** What came of one source, if anything did. */
    public Optional<SourceCheck> find(int number) {
        return number < sources.length ? Optional.ofNullable(sources[number]) : Optional.empty();
    }

    /** How many sources were seen. */
    public int sourceCount() {
        return sourceCount;
    }

    /** How many different addresses and ports the datagrams came from; 0 where these are not known. */
    public long endpoints() {
        return sources().stream()
                .mapToLong(SourceCheck::endpoint)
                .filter(endpoint -> endpoint != 0)
                .distinct()
                .count();
    }

    /** Sources whose datagrams came from several addresses or ports: another sender, or a replay, used their numbers. */
    public long moved() {
        return sources().stream().filter(SourceCheck::hasMoved).count();
    }

    /** Datagrams of the run, each counted once. */
    public long distinct() {
        return distinct;
    }

    /** Datagrams that were there before. */
    public long duplicated() {
        return sum(SourceCheck::duplicated);
    }

    /** Datagrams that came after a later one of their source. */
    public long reordered() {
        return sum(SourceCheck::reordered);
    }

    /** Sequence numbers below the highest of their source that did not come. */
    public long holes() {
        return sum(SourceCheck::holes);
    }

    /** Payloads that are none of the run. */
    public long others() {
        return others;
    }

    /**
     * Datagrams received more than 100 µs before they were meant to be sent: a clock was set, or hosts disagree. Counted
     * as 0 late.
     */
    public long early() {
        return early;
    }

    /** From the intended send time to the receive time, in µs; empty where no receive time was known. */
    public Histogram latency() {
        return latency;
    }

    private long sum(java.util.function.ToLongFunction<SourceCheck> figure) {
        return sources().stream().mapToLong(figure).sum();
    }
}
