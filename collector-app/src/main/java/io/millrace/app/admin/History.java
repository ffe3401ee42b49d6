package io.millrace.app.admin;

import io.millrace.app.fault.LossLog;
import io.millrace.collector.Collector;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.Ledger;
import io.millrace.collector.ShardCounters;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.agent.Ticks;
import io.millrace.sink.SinkStatus;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history of the counters, for each {@link Span}. One thread takes samples; any thread may read. The size is fixed. The
 * samples of the day are in a {@link HistoryFile} too, so that a restart does not end them.
 */
final class History implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(History.class);

    /** A time up to now, and the seconds between its samples. */
    enum Span {
        MINUTES(1, 301),
        HOUR(10, 361),
        DAY(60, 1441);

        private final int step;
        private final int length;

        Span(int step, int length) {
            this.step = step;
            this.length = length;
        }

        int step() {
            return step;
        }

        /** The span with this name in lower case; {@link #MINUTES} if there is none. */
        static Span of(@Nullable String name) {
            return Arrays.stream(values())
                    .filter(span -> span.name().toLowerCase(Locale.ROOT).equals(name))
                    .findFirst()
                    .orElse(MINUTES);
        }
    }

    private static final List<Counter> LOSSES = Arrays.stream(DropReason.values())
            .filter(DropReason::isOurs)
            .map(DropReason::counter)
            .toList();

    private static final long UNAVAILABLE = -1;
    private static final long STEP_MS = 1000;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(STEP_MS);
    /** Samples from one reading of the host's counters to the next: they are in many files. */
    private static final int HOST_STEP = 10;
    /** Samples from one writing of the file to the next. */
    private static final int SAVE_STEP = 300;

    private final Collector collector;
    private final HistoryFile file;
    private final OutputHistory outputs = new OutputHistory();
    private final LossLog losses =
            new LossLog((level, line) -> LOG.atLevel(level).log(line));
    private final Series seconds = new Series(Span.MINUTES);
    private final Series tens = new Series(Span.HOUR);
    private final Series minutes = new Series(Span.DAY);
    private final Thread thread = new Thread(this::run, "millrace-history");
    private volatile boolean closed;
    // Outputs may be removed, so their growth is summed instead of their counters.
    private final Map<String, Long> ackedBefore = new HashMap<>();
    private long delivered;
    private long lost;
    private long lossesCounted;
    private long samples;
    /** The last sample whose losses were read from the ledger. */
    private @Nullable Sample known;

    /** The dead letters of each output, once per {@link #HOST_STEP}, over the last minute; the oldest first. */
    private final Deque<Map<String, Long>> rejected = new ArrayDeque<>();

    enum Measure {
        RECEIVED,
        BYTES,
        JOURNALED,
        DELIVERED,
        LOST
    }

    /** A sample: the values, and the losses by drop point. */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after its creation.
    record Sample(long epochMs, long[] values, long[] places) {}

    /** A ring buffer of samples. */
    private static final class Series {
        private final Span span;
        private final @Nullable Sample[] ring;
        private int next;

        Series(Span span) {
            this.span = span;
            this.ring = new Sample[span.length];
        }

        void add(Sample sample, long number) {
            if (number % span.step == 0) {
                add(sample);
            }
        }

        /** Adds a sample, or null for a time of which nothing is known. */
        void add(@Nullable Sample sample) {
            ring[next] = sample;
            next = (next + 1) % ring.length;
        }

        /** All samples, the oldest first. */
        @Nullable
        Sample[] inOrder() {
            Sample[] order = new Sample[ring.length];
            for (int i = 0; i < ring.length; i++) {
                order[i] = ring[(next + i) % ring.length];
            }
            return order;
        }

        /** The sample {@code back} before the newest. */
        @Nullable
        Sample last(int back) {
            return ring[Math.floorMod(next - 1 - back, ring.length)];
        }
    }

    private final long[] newest = new long[DropReason.values().length];

    History(Collector collector, HistoryFile file) {
        this.collector = collector;
        this.file = file;
    }

    void start() {
        restore(file.read(), System.currentTimeMillis());
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        Runnable sample = FatalErrors.survivor("A sample of the counters", LOG, this::sample);
        while (!closed) {
            sample.run();
            LockSupport.parkNanos(this, Ticks.nsToNext(STEP_NS));
        }
    }

    /** Adds what an earlier process has sampled. The counters begin at 0 again, so there is no rate from there to here. */
    private synchronized void restore(List<Sample> earlier, long nowMs) {
        long stepMs = Span.DAY.step * STEP_MS;
        for (int i = 0; i < earlier.size(); i++) {
            Sample sample = earlier.get(i);
            boolean last = i + 1 == earlier.size();
            long untilMs = last ? nowMs : earlier.get(i + 1).epochMs();
            long missed = Math.max(last ? 1 : 0, (untilMs - sample.epochMs()) / stepMs - 1);
            minutes.add(sample);
            for (long step = 0; step < Math.min(missed, Span.DAY.length); step++) {
                minutes.add(null);
            }
        }
    }

    private void sample() {
        boolean withOutputs = samples % OutputHistory.STEP == 0;
        boolean withHost = samples % HOST_STEP == 0;
        boolean withFile = samples % SAVE_STEP == 0 && samples > 0;
        long counted = counted();
        Sample last = known;
        if (last == null || withHost || counted != lossesCounted) {
            readLosses(withHost);
            known = take(newest.clone());
            if (add(known)) {
                lossesCounted = counted;
                losses.update(this::lost, System.nanoTime());
            }
        } else {
            add(take(last.places()));
        }
        if (withOutputs) {
            outputs.sample(collector.outputs());
        }
        if (withHost) {
            keepRejected();
            collector.shards().forEach(ShardCounters::keepRecent);
        }
        if (withFile) {
            save();
        }
    }

    /** All losses, also those by the policy. It tells whether there are new ones, each second, and cheaper than the ledger. */
    private long counted() {
        long sum = 0;
        for (Counter each : LOSSES) {
            sum += collector.sinceStart(each);
        }
        return sum;
    }

    private Sample take(long[] places) {
        collector.acknowledged().forEach((output, acked) -> {
            Long before = ackedBefore.put(output, acked);
            delivered += before == null ? 0 : Math.max(0, acked - before);
        });
        long journaled = collector.sinceStart(Counter.JOURNALED_DATAGRAMS)
                - collector.sinceStart(DropReason.POWER_FAILURE.counter());
        return new Sample(
                System.currentTimeMillis(),
                new long[] {
                    collector.sinceStart(Counter.RECEIVED_DATAGRAMS),
                    collector.sinceStart(Counter.RECEIVED_BYTES),
                    journaled,
                    delivered,
                    lost
                },
                places);
    }

    /** Reads the losses by drop point from the ledger. */
    @SuppressWarnings("EnumOrdinal") // An index in memory, and nowhere else.
    private void readLosses(boolean withHost) {
        Ledger ledger = withHost ? collector.ledger() : collector.ledgerWithoutHost();
        lost = 0;
        for (DropReason place : DropReason.values()) {
            Long count = place.now(ledger);
            if (place.isOurs() || withHost) {
                newest[place.ordinal()] = count == null ? UNAVAILABLE : count;
            }
            if (place.isOurs() && !place.isByPolicy() && count != null) {
                lost += count;
            }
        }
    }

    /**
     * Adds a sample. If samples were missed, for example while the process was paused, they are interpolated. Returns false if the last one
     * is so new that this one is left out.
     */
    private synchronized boolean add(Sample sample) {
        Sample last = seconds.last(0);
        long sinceMs = last == null ? STEP_MS : sample.epochMs() - last.epochMs();
        if (last != null && sinceMs >= 0 && sinceMs < STEP_MS / 2) {
            // The first one is taken at the start, the others at whole seconds.
            return false;
        }
        long steps = Math.min(Span.MINUTES.length, Math.max(1, Math.round((double) sinceMs / STEP_MS)));
        for (long step = 1; step < steps && last != null; step++) {
            append(between(last, sample, (double) step / steps));
        }
        append(sample);
        return true;
    }

    private void append(Sample sample) {
        seconds.add(sample, samples);
        tens.add(sample, samples);
        minutes.add(sample, samples);
        samples++;
    }

    private Series series(Span span) {
        return switch (span) {
            case MINUTES -> seconds;
            case HOUR -> tens;
            case DAY -> minutes;
        };
    }

    OutputHistory outputs() {
        return outputs;
    }

    private synchronized void keepRejected() {
        Map<String, Long> now = new HashMap<>();
        for (SinkStatus output : collector.outputs()) {
            now.put(output.name(), rejected(output));
        }
        rejected.addLast(now);
        if (rejected.size() > 60 / HOST_STEP) {
            rejected.removeFirst();
        }
    }

    /** How many messages became dead letters of an output in the last minute, or since its start. */
    synchronized long rejectedInMinute(SinkStatus output) {
        long now = rejected(output);
        Map<String, Long> earlier = rejected.peekFirst();
        long before = earlier == null ? 0 : earlier.getOrDefault(output.name(), 0L);
        return before <= now ? now - before : now;
    }

    private static long rejected(SinkStatus output) {
        return output.refused().values().stream().mapToLong(Long::longValue).sum();
    }

    private void save() {
        List<Sample> day;
        synchronized (this) {
            day = Arrays.stream(minutes.inOrder()).filter(Objects::nonNull).toList();
        }
        file.write(day);
    }

    private static Sample between(Sample from, Sample to, double part) {
        long[] values = new long[from.values().length];
        Arrays.setAll(values, i -> between(from.values()[i], to.values()[i], part));
        long[] places = new long[from.places().length];
        Arrays.setAll(
                places,
                i -> from.places()[i] == UNAVAILABLE || to.places()[i] == UNAVAILABLE
                        ? UNAVAILABLE
                        : between(from.places()[i], to.places()[i], part));
        return new Sample(between(from.epochMs(), to.epochMs(), part), values, places);
    }

    private static long between(long from, long to, double part) {
        return from + Math.round((to - from) * part);
    }

    /** The rate per second over the last second; NaN if unknown. */
    @SuppressWarnings("EnumOrdinal") // The ordinal is an index in memory and is never stored.
    synchronized double rate(Measure measure) {
        return rate(seconds.last(1), seconds.last(0), measure.ordinal());
    }

    private static double rate(@Nullable Sample from, @Nullable Sample to, int measure) {
        if (from == null || to == null || to.epochMs() <= from.epochMs()) {
            return Double.NaN;
        }
        return (to.values()[measure] - from.values()[measure]) * 1000.0 / (to.epochMs() - from.epochMs());
    }

    /** The rates per second; NaN where unknown. */
    @SuppressWarnings("EnumOrdinal")
    synchronized double[] rates(Span span, Measure measure) {
        Sample[] samplesInOrder = series(span).inOrder();
        double[] rates = new double[samplesInOrder.length - 1];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = rate(samplesInOrder[i], samplesInOrder[i + 1], measure.ordinal());
        }
        return rates;
    }

    /** How many datagrams were lost between the samples of a span, as far as they are known. */
    @SuppressWarnings("EnumOrdinal")
    synchronized long lost(Span span) {
        long lost = 0;
        Sample before = null;
        for (Sample sample : series(span).inOrder()) {
            if (before != null && sample != null) {
                int measure = Measure.LOST.ordinal();
                // A restart begins at 0 again.
                lost += Math.max(0, sample.values()[measure] - before.values()[measure]);
            }
            before = sample;
        }
        return lost;
    }

    /** The time of the newest sample in ms since the epoch; 0 if there is none. */
    synchronized long newestMs(Span span) {
        Sample newest = series(span).last(0);
        return newest == null ? 0 : newest.epochMs();
    }

    /** The losses at a drop point since the start; null if unknown. */
    @SuppressWarnings("EnumOrdinal")
    synchronized @Nullable Long lost(DropReason place) {
        Sample last = seconds.last(0);
        long count = last == null ? UNAVAILABLE : last.places()[place.ordinal()];
        return count == UNAVAILABLE ? null : Long.valueOf(count);
    }

    /** The losses at a drop point in the last minute; null if unknown. */
    synchronized @Nullable Long lostInMinute(DropReason place) {
        return lost(oldest(seconds, 60), place);
    }

    /** The losses in the last hour, or since the start if that is shorter; null if unknown. */
    synchronized @Nullable Long lostInHour(DropReason place) {
        return lost(oldest(tens, Span.HOUR.length - 1), place);
    }

    private static @Nullable Sample oldest(Series series, int back) {
        // Each second for each drop reason, so without a copy.
        for (int i = back; i >= 0; i--) {
            Sample sample = series.last(i);
            if (sample != null) {
                return sample;
            }
        }
        return null;
    }

    @SuppressWarnings("EnumOrdinal")
    private @Nullable Long lost(@Nullable Sample from, DropReason place) {
        Sample to = seconds.last(0);
        if (from == null || to == null) {
            return null;
        }
        long then = from.places()[place.ordinal()];
        long now = to.places()[place.ordinal()];
        return then == UNAVAILABLE || now == UNAVAILABLE ? null : Long.valueOf(now - then);
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        save();
    }
}
