package io.millrace.app.command;

import io.millrace.journal.InputNames;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the newest matching messages of a journal, by receive time. It reads larger and larger parts of the journal's end. So it
 * is fast if they are near the end, and reads all of a journal that has fewer.
 */
final class LastMessages {
    /** The most that is looked for: it is kept in memory. */
    static final int MAX = 100_000;

    private static final long FIRST_DATAGRAMS = 1_000;
    private static final int GROWTH = 8;

    private final Journal journal;
    private final int count;
    private final LogRecord record;
    private final Predicate<LogRecord> wanted;

    /** Identifies a message; the order is that of receive times. */
    private record Key(long timeNs, int shard, long sequence, int part) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.comparingLong(Key::timeNs)
                .thenComparingInt(Key::shard)
                .thenComparingLong(Key::sequence)
                .thenComparingInt(Key::part);

        static Key of(LogRecord message) {
            return new Key(message.receiveTimeNs(), message.shard(), message.sequence(), message.part());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** A part of the journal's end, and which of its messages are the newest. */
    static final class Found {
        private final long[] begins;
        private final long[] ends;
        private final @Nullable Key oldest;

        private Found(long[] begins, long[] ends, @Nullable Key oldest) {
            this.begins = begins;
            this.ends = ends;
            this.oldest = oldest;
        }

        /** A cursor that reads the part. */
        JournalCursor cursor(Journal journal) throws IOException {
            return journal.cursor().fromEach(begins).toEach(ends).open();
        }

        /** A cursor that reads what comes after it. */
        JournalCursor following(Journal journal) throws IOException {
            return journal.cursor().fromEach(ends).open();
        }

        /** True if a matching message of the part is one of the newest. */
        boolean includes(LogRecord message) {
            return oldest == null || oldest.compareTo(Key.of(message)) <= 0;
        }
    }

    LastMessages(Journal journal, int count, LogRecord record, Predicate<LogRecord> wanted) {
        this.journal = journal;
        this.count = count;
        this.record = record;
        this.wanted = wanted;
    }

    Found find() throws IOException {
        long[] ends = journal.endSequences();
        long[] firsts = firsts(ends);
        for (long datagrams = Math.max(FIRST_DATAGRAMS, count); ; datagrams *= GROWTH) {
            long[] begins = new long[ends.length];
            for (int shard = 0; shard < ends.length; shard++) {
                begins[shard] = Math.max(firsts[shard], ends[shard] - datagrams);
            }
            Part part = new Part(firsts, begins);
            part.read(ends);
            if (Arrays.equals(begins, firsts) || part.hasEnough()) {
                return new Found(begins, ends, part.oldest());
            }
        }
    }

    /** The oldest datagram of each shard, or its end. */
    private long[] firsts(long[] ends) throws IOException {
        long[] firsts = ends.clone();
        for (int i = 0; i < ends.length; i++) {
            int shard = i;
            try (JournalCursor cursor =
                    journal.cursor().from(new Position(shard, 0)).open()) {
                int unused = cursor.poll((datagram, position) -> firsts[shard] = position.sequence(), 1);
            }
        }
        return firsts;
    }

    /** A part of the journal's end. */
    private final class Part {
        private final long[] firsts;
        private final long[] begins;
        private final PriorityQueue<Key> newest = new PriorityQueue<>();
        /** Before this time, the part may lack datagrams of a shard. */
        private long wholeFromNs = Long.MIN_VALUE;

        Part(long[] firsts, long[] begins) {
            this.firsts = firsts;
            this.begins = begins;
        }

        void read(long[] ends) throws IOException {
            InputNames inputs = new InputNames(journal);
            boolean[] begun = new boolean[begins.length];
            try (JournalCursor cursor =
                    journal.cursor().fromEach(begins).toEach(ends).open()) {
                while (cursor.poll((datagram, position) -> {
                            int shard = position.shard();
                            if (!begun[shard] && begins[shard] > firsts[shard]) {
                                wholeFromNs = Math.max(wholeFromNs, datagram.receiveTimeNs());
                            }
                            begun[shard] = true;
                            take(record.wrap(datagram, inputs.of(datagram.input()), shard, position.sequence()));
                        })
                        > 0) {
                    // Reads all of it.
                }
            }
        }

        private void take(LogRecord message) {
            do {
                if (wanted.test(message)) {
                    newest.add(Key.of(message));
                    if (newest.size() > count) {
                        newest.remove();
                    }
                }
            } while (message.nextPart());
        }

        boolean hasEnough() {
            return newest.size() == count && newest.element().timeNs() >= wholeFromNs;
        }

        /** The oldest of the newest; null if all that match are. */
        @Nullable
        Key oldest() {
            return newest.size() < count ? null : newest.element();
        }
    }
}
