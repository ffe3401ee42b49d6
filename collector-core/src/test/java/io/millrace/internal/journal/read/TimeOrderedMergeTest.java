package io.millrace.internal.journal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.TestSeed;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The merge of shards by receive time. */
class TimeOrderedMergeTest {
    private static final long START_NS = TestDatagram.TIME_NS;

    @TempDir
    private Path root;

    private final Reading reading = new Reading();

    private static TestDatagram at(long offsetNs) {
        return TestDatagram.of("+" + offsetNs).at(START_NS + offsetNs);
    }

    private JournalCursor byTime() throws IOException {
        return Journal.open(root).cursor().onGap(reading).byTime(false).open();
    }

    @Test
    void unsortedShardsAreMerged() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 3)) {
            journal.append(0, at(50), at(10));
            journal.append(1, at(20), at(30));
            journal.append(0, at(40), at(5));
            journal.append(1, at(30));
            journal.append(2, at(30), at(1));
        }
        try (JournalCursor cursor = byTime()) {
            assertThat(reading.all(cursor).found)
                    .containsExactly(
                            "2:1=+1", "0:3=+5", "0:1=+10", "1:0=+20", "1:1=+30", "1:2=+30", "2:0=+30", "0:2=+40",
                            "0:0=+50");
        }
    }

    @Test
    void anyJournalIsReadInExactOrder() throws IOException {
        Random random = TestSeed.random(TimeOrderedMergeTest.class);
        List<Long> offsets = new ArrayList<>();
        try (TestJournal journal = TestJournal.open(root, 4)) {
            for (int batch = 0; batch < 200; batch++) {
                TestDatagram[] datagrams = new TestDatagram[1 + random.nextInt(20)];
                for (int i = 0; i < datagrams.length; i++) {
                    long offset = batch * 10L + random.nextInt(100);
                    offsets.add(offset);
                    datagrams[i] = at(offset);
                }
                journal.append(random.nextInt(4), datagrams);
            }
        }
        List<String> expected = offsets.stream()
                .sorted(Comparator.naturalOrder())
                .map(offset -> "+" + offset)
                .toList();
        List<String> found = new ArrayList<>();
        try (JournalCursor cursor = byTime()) {
            while (cursor.poll((datagram, position) -> found.add(datagram.payloadText()), 1 + random.nextInt(50)) > 0) {
                // Read more.
            }
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    void mergeThatIsNotLiveEndsWithExistingDatagrams() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.append(0, at(10));
            journal.append(1, at(20));
            try (JournalCursor cursor = byTime()) {
                journal.append(0, at(15));
                assertThat(reading.all(cursor).found).containsExactly("0:0=+10", "1:0=+20");
            }
        }
    }

    @Test
    void onlyDatagramsInTheRangeAreRead() throws IOException {
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.append(0, at(10), at(2_000));
            journal.append(1, at(1_500), at(9_000));
            journal.append(0, at(1_000));
            journal.append(0, at(7_000));
        }
        Instant start = Instant.ofEpochSecond(0, START_NS);
        try (JournalCursor cursor = Journal.open(root)
                .cursor()
                .fromTime(start.plusNanos(1_000))
                .toTime(start.plusNanos(7_000))
                .byTime(false)
                .open()) {
            assertThat(reading.all(cursor).found).containsExactly("0:2=+1000", "1:0=+1500", "0:1=+2000");
        }
    }

    @Test
    void newDatagramsWaitASecondForEarlierOnes() throws IOException {
        AtomicLong clock = new AtomicLong(START_NS + TimeOrderedMerge.DELAY_NS);
        try (TestJournal journal = TestJournal.open(root, 2)) {
            journal.append(0, at(-5));
            Journal open = Journal.open(root);
            ShardIterator.Range all = new ShardIterator.Range(Long.MIN_VALUE, Long.MAX_VALUE);
            try (JournalCursor cursor =
                    new OrderedCursor(new TimeOrderedMerge(open, false, true, all, reading, clock::get))) {
                assertThat(reading.all(cursor).found).containsExactly("0:0=+-5");
                journal.append(0, at(30), at(10));
                assertThat(reading.poll(cursor, 10)).isZero();
                journal.append(1, at(20));
                clock.addAndGet(25);
                reading.all(cursor);
                clock.addAndGet(100);
                reading.all(cursor);
                assertThat(reading.found).containsExactly("0:0=+-5", "0:2=+10", "1:0=+20", "0:1=+30");
            }
        }
    }

    @Test
    void positionCannotBeCombinedWithByTime() throws IOException {
        TestJournal.open(root).close();
        CursorBuilder builder =
                Journal.open(root).cursor().from(new Position(0, 1)).byTime(false);
        assertThatThrownBy(builder::open).isInstanceOf(IllegalStateException.class);
    }
}
