package io.millrace.internal.sources;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The sequence streams of one source, at most {@value #MAX_STREAMS}. A new stream replaces one that has been idle for a
 * minute.
 *
 * <p>A message does not say what its {@code sequenceId} counts. syslog-ng counts all messages of a host, libraries
 * count the messages of a program. The wrong interpretation shows gaps or duplicates. So this class tracks both
 * interpretations and reports the one with fewer of them. One thread.
 */
final class SourceSequences {
    static final int MAX_STREAMS = 16;
    private static final long IDLE_NS = TimeUnit.MINUTES.toNanos(1);

    private final Budget budget;
    private SequenceStream[] streams = {};
    private final Map<NumberingScheme, SequenceStream.Tally> replaced = new EnumMap<>(NumberingScheme.class);

    private long reportedMissing;
    private long reportedRestarts;

    /** The limit and the totals of the streams of all sources. */
    static final class Budget {
        private final int maxStreams;
        private int streams;
        long missing;
        long restarts;
        long unfollowed;

        Budget(int maxStreams) {
            this.maxStreams = maxStreams;
        }

        int streams() {
            return streams;
        }
    }

    SourceSequences(Budget budget) {
        this.budget = budget;
    }

    /** Records the sequence number of a datagram of the source. */
    void accept(NumberingScheme scheme, SequenceNumber found, long timeNs, int shard) {
        boolean followed = accept(scheme, found.key, found.number, timeNs, shard);
        if (scheme == NumberingScheme.HOST) {
            followed &= accept(NumberingScheme.PROGRAM, found.programKey, found.number, timeNs, shard);
        }
        if (!followed) {
            budget.unfollowed++;
        }
    }

    /** Reads a field of the stream that the next number likely belongs to, so that it comes into the cache. */
    long touch() {
        return streams.length == 0 ? 0 : streams[0].touch();
    }

    private boolean accept(NumberingScheme numbering, long key, long number, long timeNs, int shard) {
        SequenceStream stream = stream(numbering, key, timeNs);
        if (stream == null) {
            return false;
        }
        if (stream.accept(number, timeNs, shard)) {
            report();
        }
        return true;
    }

    private @Nullable SequenceStream stream(NumberingScheme numbering, long key, long timeNs) {
        int idlest = 0;
        for (int i = 0; i < streams.length; i++) {
            if (streams[i].matches(numbering, key)) {
                return streams[i];
            }
            if (streams[i].lastNs() < streams[idlest].lastNs()) {
                idlest = i;
            }
        }
        if (streams.length < MAX_STREAMS && budget.streams < budget.maxStreams) {
            budget.streams++;
            idlest = streams.length;
            streams = Arrays.copyOf(streams, idlest + 1);
        } else if (streams.length > 0 && timeNs - streams[idlest].lastNs() > IDLE_NS) {
            SequenceStream old = streams[idlest];
            var unused = old.settle(timeNs);
            replaced.merge(old.numbering(), old.tally(), SequenceStream.Tally::plus);
        } else {
            return null;
        }
        SequenceStream stream = new SequenceStream(numbering, key);
        streams[idlest] = stream;
        return stream;
    }

    /** Counts unseen numbers of idle streams as missing. */
    void settle(long nowNs) {
        boolean changed = false;
        for (SequenceStream stream : streams) {
            changed |= stream.settle(nowNs);
        }
        if (changed) {
            report();
        }
    }

    /** Restarts the streams in a shard, a part of which could not be read. */
    void forget(int shard) {
        for (SequenceStream stream : streams) {
            stream.forget(shard);
        }
    }

    /** Removes all streams, because the source is evicted. The totals keep what they reported. */
    void drop() {
        budget.streams -= streams.length;
        streams = new SequenceStream[0];
    }

    /**
     * Adds new gaps and restarts to the totals, which never decrease, even if the other interpretation fits better now.
     */
    private void report() {
        SequenceStream.Tally byHost = sum(NumberingScheme.HOST);
        SequenceStream.Tally byProgram = sum(NumberingScheme.PROGRAM);
        SequenceStream.Tally now = sum(NumberingScheme.CISCO)
                .plus(sum(NumberingScheme.SENDER))
                .plus(byHost.unlikely() <= byProgram.unlikely() ? byHost : byProgram);
        budget.missing += Math.max(0, now.missing() - reportedMissing);
        budget.restarts += Math.max(0, now.restarts() - reportedRestarts);
        reportedMissing = Math.max(reportedMissing, now.missing());
        reportedRestarts = Math.max(reportedRestarts, now.restarts());
    }

    private SequenceStream.Tally sum(NumberingScheme numbering) {
        SequenceStream.Tally sum = replaced.getOrDefault(numbering, SequenceStream.Tally.NONE);
        for (SequenceStream stream : streams) {
            if (stream.numbering() == numbering) {
                sum = sum.plus(stream.tally());
            }
        }
        return sum;
    }

    /** The missing numbers of all streams, current and replaced. */
    long missing() {
        return reportedMissing;
    }
}
