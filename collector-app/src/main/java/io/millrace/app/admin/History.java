package io.millrace.app.admin;

import io.millrace.collector.Collector;
import io.millrace.counters.Counter;
import io.millrace.counters.DropReason;
import io.millrace.counters.Ledger;
import io.millrace.counters.ShardCounters;
import io.millrace.deliver.SinkStatus;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the counters stood at each second of the last five minutes, and each tenth second of the last hour. A thread of its
 * own takes the samples; any may read. Of a fixed size.
 */
final class History implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(History.class);

    /** Seconds from one sample of the long series to the next. */
    static final int LONG_STEP = 10;

    private static final int SHORT_LENGTH = 301;
    private static final int LONG_LENGTH = 361;
    private static final long UNAVAILABLE = -1;
    private static final long STEP_MS = 1000;

    private final Collector collector;
    private final Series seconds = new Series(1, SHORT_LENGTH);
    private final Series tens = new Series(LONG_STEP, LONG_LENGTH);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "millrace-history");
        thread.setDaemon(true);
        return thread;
    });
    // Outputs come and go: their growth is added up, and not what they stand at.
    private final Map<String, Long> ackedBefore = new HashMap<>();
    private long delivered;
    private long samples;

    /** What can be asked of each sample. */
    enum Figure {
        RECEIVED,
        BYTES,
        JOURNALED,
        DELIVERED,
        LOST
    }

    /** What was there at one moment: the values, then what was lost at each place. */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after it was made.
    private record Sample(long epochMs, long[] figures, long[] places) {}

    /** Samples from one reading of the host's counters to the next: they are in many files. */
    private static final int HOST_STEP = 5;

    /** A ring of samples. */
    private static final class Series {
        private final int step;
        private final @Nullable Sample[] ring;
        private int next;

        Series(int step, int length) {
            this.step = step;
            this.ring = new Sample[length];
        }

        void add(Sample sample) {
            ring[next] = sample;
            next = (next + 1) % ring.length;
        }

        /** From the oldest to the newest. */
        @Nullable
        Sample[] inOrder() {
            Sample[] order = new Sample[ring.length];
            for (int i = 0; i < ring.length; i++) {
                order[i] = ring[(next + i) % ring.length];
            }
            return order;
        }

        /** The newest but {@code back}. */
        @Nullable
        Sample last(int back) {
            return ring[Math.floorMod(next - 1 - back, ring.length)];
        }
    }

    /** By drop reason, the newest value. */
    private final long[] newest = new long[DropReason.values().length];

    History(Collector collector) {
        this.collector = collector;
    }

    void start() {
        var unused = timer.scheduleAtFixedRate(this::sample, 0, 1, TimeUnit.SECONDS);
    }

    private void sample() {
        try {
            add(take());
            if (samples % LONG_STEP == 0) {
                collector.shards().forEach(ShardCounters::keepRecent);
            }
        } catch (RuntimeException e) {
            // A task that throws would not be run again.
            LOG.warn("A sample of the counters could not be taken: {}", e.toString());
        }
    }

    @SuppressWarnings("EnumOrdinal") // An index in memory, and nowhere else.
    private Sample take() {
        boolean withHost = samples % HOST_STEP == 0;
        Ledger ledger = withHost ? collector.ledger() : collector.ledgerWithoutHost();
        for (SinkStatus output : collector.outputs()) {
            long acked = output.counts().acked();
            Long before = ackedBefore.put(output.name(), acked);
            delivered += before == null ? 0 : Math.max(0, acked - before);
        }
        long lost = 0;
        for (DropReason place : DropReason.values()) {
            Long count = place.now(ledger);
            if (place.isOurs() || withHost) {
                newest[place.ordinal()] = count == null ? UNAVAILABLE : count;
            }
            if (place.isOurs() && count != null) {
                lost += count;
            }
        }
        long bytes = collector.sinceStart(Counter.RECEIVED_BYTES);
        return new Sample(
                System.currentTimeMillis(),
                new long[] {ledger.received(), bytes, ledger.journaled(), delivered, lost},
                newest.clone());
    }

    /** Adds a sample, and what was missed between it and the last one, as if it had grown evenly: this process may have stood still. */
    private synchronized void add(Sample sample) {
        Sample last = seconds.last(0);
        long sinceMs = last == null ? STEP_MS : sample.epochMs() - last.epochMs();
        if (last != null && sinceMs >= 0 && sinceMs < STEP_MS / 2) {
            // What is made up for after a standstill comes all at once.
            return;
        }
        long steps = Math.min(SHORT_LENGTH, Math.max(1, Math.round((double) sinceMs / STEP_MS)));
        for (long step = 1; step < steps && last != null; step++) {
            append(between(last, sample, (double) step / steps));
        }
        append(sample);
    }

    private void append(Sample sample) {
        seconds.add(sample);
        if (samples++ % LONG_STEP == 0) {
            tens.add(sample);
        }
    }

    private static Sample between(Sample from, Sample to, double part) {
        long[] figures = new long[from.figures().length];
        Arrays.setAll(figures, i -> between(from.figures()[i], to.figures()[i], part));
        long[] places = new long[from.places().length];
        Arrays.setAll(
                places,
                i -> from.places()[i] == UNAVAILABLE || to.places()[i] == UNAVAILABLE
                        ? UNAVAILABLE
                        : between(from.places()[i], to.places()[i], part));
        return new Sample(between(from.epochMs(), to.epochMs(), part), figures, places);
    }

    private static long between(long from, long to, double part) {
        return from + Math.round((to - from) * part);
    }

    /** Per second, over the last whole second; NaN if it is too early. */
    @SuppressWarnings("EnumOrdinal") // An index in memory, and nowhere else.
    synchronized double rate(Figure figure) {
        return rate(seconds.last(1), seconds.last(0), figure.ordinal());
    }

    private static double rate(@Nullable Sample from, @Nullable Sample to, int figure) {
        if (from == null || to == null || to.epochMs() <= from.epochMs()) {
            return Double.NaN;
        }
        return (to.figures()[figure] - from.figures()[figure]) * 1000.0 / (to.epochMs() - from.epochMs());
    }

    /** Per second, for each step of the last five minutes, or if {@code hour} of the last hour; NaN where nothing is known. */
    @SuppressWarnings("EnumOrdinal")
    synchronized double[] rates(boolean hour, Figure figure) {
        Sample[] samplesInOrder = (hour ? tens : seconds).inOrder();
        double[] rates = new double[samplesInOrder.length - 1];
        for (int i = 0; i < rates.length; i++) {
            rates[i] = rate(samplesInOrder[i], samplesInOrder[i + 1], figure.ordinal());
        }
        return rates;
    }

    /** Seconds from one rate to the next. */
    int step(boolean hour) {
        return (hour ? tens : seconds).step;
    }

    /** When the newest sample was taken, in ms since the epoch; 0 if there is none. */
    synchronized long newestMs(boolean hour) {
        Sample newest = (hour ? tens : seconds).last(0);
        return newest == null ? 0 : newest.epochMs();
    }

    /** How many were lost at a place in the last minute; null if that is not known. */
    synchronized @Nullable Long lostInMinute(DropReason place) {
        return lost(oldest(seconds, 60), place);
    }

    /** How many in the last hour, or since the start if that is shorter; null if that is not known. */
    synchronized @Nullable Long lostInHour(DropReason place) {
        return lost(oldest(tens, LONG_LENGTH - 1), place);
    }

    private static @Nullable Sample oldest(Series series, int back) {
        return Arrays.stream(series.inOrder())
                .skip(series.ring.length - 1L - back)
                .filter(sample -> sample != null)
                .findFirst()
                .orElse(null);
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
        timer.shutdownNow();
    }
}
