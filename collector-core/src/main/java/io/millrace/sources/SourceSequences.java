package io.millrace.sources;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The number streams of one source, {@value #MAX_STREAMS} at the most; one that has been quiet for a minute makes room for
 * a new one.
 *
 * <p>Who counts a {@code sequenceId} is not said in the message: syslog-ng counts all it sends, libraries count for each
 * program. Read in the wrong way one shows holes, and the other numbers that do not fit. So both readings are followed,
 * and the one with fewer of these is what is told. One thread.
 */
final class SourceSequences {
    static final int MAX_STREAMS = 16;
    private static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    private final Budget budget;
    private SequenceStream[] streams = {};
    /** What streams told that made room. */
    private final Map<NumberingScheme, SequenceStream.Tally> gone = new EnumMap<>(NumberingScheme.class);

    private long toldMissing;
    private long toldRestarts;

    /** Of all sources together: how many streams there are, and what they told. */
    static final class Budget {
        private final int mostStreams;
        private int streams;
        long missing;
        long restarts;
        long unfollowed;

        Budget(int mostStreams) {
            this.mostStreams = mostStreams;
        }

        int streams() {
            return streams;
        }
    }

    SourceSequences(Budget budget) {
        this.budget = budget;
    }

    /** A datagram of the source has a number. */
    void accept(NumberingScheme numbering, SequenceNumberFinder found, long timeNs, int shard) {
        boolean followed = accept(numbering, found.key(), found.number(), timeNs, shard);
        if (numbering == NumberingScheme.HOST) {
            followed &= accept(NumberingScheme.PROGRAM, found.programKey(), found.number(), timeNs, shard);
        }
        if (!followed) {
            budget.unfollowed++;
        }
    }

    private boolean accept(NumberingScheme numbering, long key, long number, long timeNs, int shard) {
        SequenceStream stream = stream(numbering, key, timeNs);
        if (stream == null) {
            return false;
        }
        if (stream.accept(number, timeNs, shard)) {
            tell();
        }
        return true;
    }

    private @Nullable SequenceStream stream(NumberingScheme numbering, long key, long timeNs) {
        int quietest = 0;
        for (int i = 0; i < streams.length; i++) {
            if (streams[i].is(numbering, key)) {
                return streams[i];
            }
            if (streams[i].lastNs() < streams[quietest].lastNs()) {
                quietest = i;
            }
        }
        if (streams.length < MAX_STREAMS && budget.streams < budget.mostStreams) {
            budget.streams++;
            quietest = streams.length;
            streams = Arrays.copyOf(streams, quietest + 1);
        } else if (streams.length > 0 && timeNs - streams[quietest].lastNs() > QUIET_NS) {
            SequenceStream old = streams[quietest];
            var unused = old.settle(timeNs);
            gone.merge(old.numbering(), old.tally(), SequenceStream.Tally::plus);
        } else {
            return null;
        }
        SequenceStream stream = new SequenceStream(numbering, key);
        streams[quietest] = stream;
        return stream;
    }

    /** Nothing more comes of what is open in streams that are quiet. */
    void settle(long nowNs) {
        boolean news = false;
        for (SequenceStream stream : streams) {
            news |= stream.settle(nowNs);
        }
        if (news) {
            tell();
        }
    }

    /** A part of a shard could not be read. */
    void forget(int shard) {
        for (SequenceStream stream : streams) {
            stream.forget(shard);
        }
    }

    /** The source is forgotten: its streams make room, what they told stays told. */
    void drop() {
        budget.streams -= streams.length;
        streams = new SequenceStream[0];
    }

    /** Adds to the sums what is new. Another reading may be the better one by now: what was told is not taken back. */
    private void tell() {
        SequenceStream.Tally byHost = sum(NumberingScheme.HOST);
        SequenceStream.Tally byProgram = sum(NumberingScheme.PROGRAM);
        SequenceStream.Tally now = sum(NumberingScheme.CISCO)
                .plus(sum(NumberingScheme.SENDER))
                .plus(byHost.unlikely() <= byProgram.unlikely() ? byHost : byProgram);
        budget.missing += Math.max(0, now.missing() - toldMissing);
        budget.restarts += Math.max(0, now.restarts() - toldRestarts);
        toldMissing = Math.max(toldMissing, now.missing());
        toldRestarts = Math.max(toldRestarts, now.restarts());
    }

    private SequenceStream.Tally sum(NumberingScheme numbering) {
        SequenceStream.Tally sum = gone.getOrDefault(numbering, SequenceStream.Tally.NONE);
        for (SequenceStream stream : streams) {
            if (stream.numbering() == numbering) {
                sum = sum.plus(stream.tally());
            }
        }
        return sum;
    }

    /** Numbers missing, of all streams there were. */
    long missing() {
        return toldMissing;
    }
}
