package io.millrace.app.command;

import io.millrace.format.LogRecord;
import io.millrace.journal.read.InputNames;
import io.millrace.journal.read.Journal;
import io.millrace.journal.read.JournalCursor;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Finder of the place from which a journal has so many matching messages. It reads larger and larger parts of the journal's end. So
 * it is fast if they are near the end, and reads all of a journal that has fewer.
 */
final class LastMessages {
    private static final long FIRST_DATAGRAMS = 1_000;
    private static final int GROWTH = 8;

    private final Journal journal;
    private final long count;
    private final LogRecord record;
    private final Predicate<LogRecord> wanted;

    /**
     * Where to start.
     *
     * @param sequences the first datagram to read, by shard
     * @param time from which receive time on there are so many
     */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after its creation.
    record Start(long[] sequences, Instant time) {}

    LastMessages(Journal journal, long count, LogRecord record, Predicate<LogRecord> wanted) {
        this.journal = journal;
        this.count = count;
        this.record = record;
        this.wanted = wanted;
    }

    Start find() throws IOException {
        long[] ends = journal.endSequences();
        for (long datagrams = Math.max(FIRST_DATAGRAMS, count); ; datagrams *= GROWTH) {
            long[] begins = new long[ends.length];
            for (int shard = 0; shard < ends.length; shard++) {
                begins[shard] = Math.max(0, ends[shard] - datagrams);
            }
            Part part = new Part(begins);
            part.read(ends);
            if (part.isAll() || part.hasEnough()) {
                return new Start(begins, part.time());
            }
        }
    }

    /** A part of the journal's end. */
    private final class Part {
        private final long[] begins;
        /** The receive times of the newest matches. */
        private final PriorityQueue<Long> newest = new PriorityQueue<>();
        /** By shard, the first datagram that was read. */
        private final long[] firsts;
        /** Before this time, the part may lack datagrams of a shard. */
        private long wholeFromNs = Long.MIN_VALUE;

        Part(long[] begins) {
            this.begins = begins;
            this.firsts = new long[begins.length];
            Arrays.fill(firsts, Long.MAX_VALUE);
        }

        void read(long[] ends) throws IOException {
            InputNames inputs = new InputNames(journal);
            try (JournalCursor cursor =
                    journal.cursor().fromEach(begins).toEach(ends).open()) {
                while (cursor.poll((datagram, position) -> {
                            int shard = position.shard();
                            long timeNs = datagram.receiveTimeNs();
                            if (firsts[shard] == Long.MAX_VALUE) {
                                firsts[shard] = position.sequence();
                                wholeFromNs = isWhole(shard) ? wholeFromNs : Math.max(wholeFromNs, timeNs);
                            }
                            take(
                                    record.wrap(datagram, inputs.of(datagram.input()), shard, position.sequence()),
                                    timeNs);
                        })
                        > 0) {
                    // Reads all of it.
                }
            }
        }

        private void take(LogRecord message, long timeNs) {
            do {
                if (wanted.test(message)) {
                    newest.add(timeNs);
                    if (newest.size() > count) {
                        newest.remove();
                    }
                }
            } while (message.nextPart());
        }

        /** True if it is all of the journal: of each shard, what is before it was deleted, or never existed. */
        boolean isAll() {
            for (int shard = 0; shard < begins.length; shard++) {
                if (!isWhole(shard)) {
                    return false;
                }
            }
            return true;
        }

        private boolean isWhole(int shard) {
            return begins[shard] == 0 || firsts[shard] > begins[shard];
        }

        boolean hasEnough() {
            return newest.size() == count && newest.element() >= wholeFromNs;
        }

        Instant time() {
            return newest.size() < count ? Instant.MIN : Instant.EPOCH.plusNanos(newest.element());
        }
    }
}
