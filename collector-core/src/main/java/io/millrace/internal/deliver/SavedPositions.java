package io.millrace.internal.deliver;

import io.millrace.collector.Counter;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.Positions.Range;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.StartAt;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The positions of an output on disk, replaced once per second. The delivery's thread, except where a method says otherwise. */
final class SavedPositions {
    private static final Logger LOG = LoggerFactory.getLogger(SavedPositions.class);
    static final long SAVE_NS = TimeUnit.SECONDS.toNanos(1);

    private final String output;
    private final PositionFile file;
    private final LongSupplier clock;
    private final FailureLog failures = new FailureLog(LOG);
    private @Nullable Positions saved;
    /** The positions on disk; null while they are unknown. */
    private volatile @Nullable Positions kept;

    private volatile boolean read;
    private long savedAtNs;
    private boolean loaded;
    private boolean abandoned;

    SavedPositions(String output, PositionFile file, LongSupplier clock) {
        this.clock = clock;
        this.output = output;
        this.file = file;
    }

    /** Reads the positions with which the output begins; those of a new output begin where its settings say. */
    synchronized Positions load(SinkSettings settings, Journal journal, CounterFile counters) throws IOException {
        try {
            long journalId = journal.meta().journalId();
            Positions found = file.read();
            saved = found;
            if (found != null && found.journalId() != journalId) {
                LOG.warn(
                        "Output {}: {} belongs to another journal: the output starts at the beginning of this one",
                        output,
                        file);
                found = new Positions(journalId, new long[0], found.counts());
            } else if (found == null) {
                found = new Positions(journalId, first(settings.from(), journal, counters), Counts.NONE);
            }
            Range range = found.range();
            if (!Objects.equals(range == null ? null : range.to(), settings.to())) {
                // While the new end is unknown, retention keeps everything.
                found = found.within(null);
                kept = found;
                found = found.within(range(settings, journal));
                warnIfEmpty(settings, found);
            }
            kept = found;
            return found;
        } finally {
            // They are known, or cannot be read.
            read = true;
        }
    }

    private static @Nullable Range range(SinkSettings settings, Journal journal) throws IOException {
        Instant to = settings.to();
        if (to == null) {
            return null;
        }
        // Until then, the journal may get more of the range.
        if (to.isAfter(Instant.now())) {
            throw new IOException(
                    "'to' is " + to + ", and has not passed by the clock of this host: the output waits until then");
        }
        return new Range(to, journal.sequencesAt(to));
    }

    private void warnIfEmpty(SinkSettings settings, Positions found) {
        if (found.isFinished()) {
            LOG.warn(
                    "Output {} has nothing to deliver: the journal has nothing from its start to {}, or retention has deleted it",
                    output,
                    settings.to());
        }
    }

    /** The output delivers: from now on positions are written. */
    synchronized void begin() {
        loaded = true;
    }

    /** How long the next write may wait; {@link Long#MAX_VALUE} if there is nothing to write. */
    long dueNs(Positions current, long nowNs) {
        return !loaded || current.equals(saved) ? Long.MAX_VALUE : savedAtNs + SAVE_NS - nowNs;
    }

    /** Writes the positions if they have changed, and the last write was a second ago. */
    synchronized void save(Positions current, boolean now) {
        if (abandoned || !loaded || current.equals(saved) || (!now && clock.getAsLong() - savedAtNs < SAVE_NS)) {
            return;
        }
        savedAtNs = clock.getAsLong();
        try {
            file.write(current);
            saved = current;
            kept = current;
        } catch (IOException | RuntimeException e) {
            failures.report(
                    "Output " + output + " cannot write its positions and continues; after a crash it sends more"
                            + " messages twice",
                    e);
        }
    }

    /** Writes the positions of an output that does not end, and prevents it from doing so later. Any thread. */
    synchronized void abandon(Positions current) {
        save(current, true);
        abandoned = true;
    }

    /** The positions on disk, empty while they are unknown. Any thread. */
    OutputProgress progress() {
        Positions known = kept;
        Range range = known == null ? null : known.range();
        return new OutputProgress(
                output, known == null ? new long[0] : known.next(), range == null ? null : range.ends(), read);
    }

    /** Where a new sink begins, but never before the oldest datagram: those deleted before it was created are not missing to it. */
    private static long[] first(StartAt from, Journal journal, CounterFile counters) throws IOException {
        long[] first = from.sequences(journal);
        for (int shard = 0; shard < Math.min(first.length, counters.shardCount()); shard++) {
            first[shard] = Math.max(first[shard], counters.shard(shard).get(Counter.EXPIRED_DATAGRAMS));
        }
        return first;
    }
}
