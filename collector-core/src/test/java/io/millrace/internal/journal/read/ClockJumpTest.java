package io.millrace.internal.journal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.collector.Counter;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.CursorBuilder;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clock jumps forward and back, by seconds and by years, while datagrams are received. */
class ClockJumpTest {
    @TempDir
    Path root;

    @Test
    void everyDatagramIsReadOnceAndFoundByTimeDespiteClockJumps() throws IOException {
        Random random = TestSeed.random(ClockJumpTest.class);
        List<Long> times = new ArrayList<>();
        try (TestJournal journal = TestJournal.openRolling(root, 20_000)) {
            long now = TestDatagram.TIME_NS;
            for (int batch = 0; batch < 200; batch++) {
                now += random.nextInt(5) == 0 ? jump(random) : random.nextInt(1_000_000);
                TestDatagram[] datagrams = new TestDatagram[1 + random.nextInt(20)];
                for (int i = 0; i < datagrams.length; i++) {
                    datagrams[i] = TestDatagram.of("0:" + times.size()).at(now);
                    times.add(now);
                    now += random.nextInt(100_000) - 10_000;
                }
                journal.append(0, datagrams);
            }
            assertThat(journal.counters(0).get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(times.size());
            assertThat(journal.nextSequence(0)).isEqualTo(times.size());
        }
        assertThat(sequences(Journal.open(root).cursor())).containsExactlyElementsOf(since(times, Long.MIN_VALUE));
        for (int i = 0; i < 20; i++) {
            long from = times.get(random.nextInt(times.size()));
            assertThat(sequences(Journal.open(root).cursor().fromTime(Instant.EPOCH.plusNanos(from))))
                    .containsExactlyElementsOf(since(times, from));
        }
        for (int i = 0; i < 20; i++) {
            long from = times.get(random.nextInt(times.size()));
            long to = from + random.nextLong(TimeUnit.HOURS.toNanos(2));
            List<Long> found = sequences(Journal.open(root)
                    .cursor()
                    .fromTime(Instant.EPOCH.plusNanos(from))
                    .toTime(Instant.EPOCH.plusNanos(to))
                    .byTime(false));
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(since(times, from).stream()
                            .filter(sequence -> times.get(sequence.intValue()) < to)
                            .toList());
        }
        List<Long> byTime = sequences(Journal.open(root).cursor().byTime(false));
        assertThat(byTime).hasSize(times.size()).doesNotHaveDuplicates();
        assertThat(byTime.stream().map(sequence -> times.get(sequence.intValue())))
                .isSorted();
    }

    private static long jump(Random random) {
        long[] units = {1_000_000_000L, TimeUnit.HOURS.toNanos(1), TimeUnit.DAYS.toNanos(365)};
        return (random.nextInt(7) - 3) * units[random.nextInt(units.length)];
    }

    private static List<Long> since(List<Long> times, long from) {
        List<Long> sequences = new ArrayList<>();
        for (int i = 0; i < times.size(); i++) {
            if (times.get(i) >= from) {
                sequences.add((long) i);
            }
        }
        return sequences;
    }

    private static List<Long> sequences(CursorBuilder builder) throws IOException {
        List<Long> sequences = new ArrayList<>();
        try (JournalCursor cursor = builder.open()) {
            while (cursor.poll((datagram, position) -> {
                        assertThat(datagram.payloadText()).isEqualTo("0:" + position.sequence());
                        sequences.add(position.sequence());
                    })
                    > 0) {
                // Read everything.
            }
        }
        return sequences;
    }
}
