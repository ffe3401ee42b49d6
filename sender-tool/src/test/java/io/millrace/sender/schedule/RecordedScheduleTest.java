package io.millrace.sender.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecordedScheduleTest {
    private static long[] dues(RecordedSchedule schedule, int count) {
        return LongStream.range(0, count).map(schedule::dueNanos).toArray();
    }

    @Test
    void timesRepeatAfterAMeanGap() {
        RecordedSchedule schedule = new RecordedSchedule(new long[] {5000, 5100, 5400}, 1);
        assertThat(dues(schedule, 7)).containsExactly(0, 100, 400, 600, 700, 1000, 1200);
        assertThat(schedule.askedRate(3)).isEqualTo(3e9 / 600);
    }

    @Test
    void earlierTimestampKeepsTheOrder() {
        assertThat(dues(new RecordedSchedule(new long[] {100, 90, 300, 250, 310}, 1), 5))
                .containsExactly(0, 0, 200, 200, 210);
    }

    /** As a damaged capture has them. */
    @Test
    void extremeTimesStayInOrder() {
        for (double speed : new double[] {1, 0.001, 1000}) {
            RecordedSchedule schedule =
                    new RecordedSchedule(new long[] {0, Long.MAX_VALUE - 1, Long.MIN_VALUE, Long.MAX_VALUE}, speed);
            assertThat(dues(schedule, 9)).isSorted().startsWith(0);
        }
    }

    @Test
    void speedDividesTheTimes() {
        assertThat(dues(new RecordedSchedule(new long[] {0, 100, 400}, 2), 6))
                .containsExactly(0, 50, 200, 300, 350, 500);
        assertThat(dues(new RecordedSchedule(new long[] {0, 100, 400}, 0.5), 3)).containsExactly(0, 200, 800);
    }

    @Test
    void singlePacketRepeatsOncePerSecond() {
        assertThat(dues(new RecordedSchedule(new long[] {77}, 1), 3)).containsExactly(0, 1_000_000_000, 2_000_000_000);
    }

    @Test
    void countsWhatIsDueWithinATime() {
        RecordedSchedule schedule = new RecordedSchedule(new long[] {0, 100, 400}, 1);
        for (long nanos = 0; nanos < 2000; nanos++) {
            long within = nanos;
            assertThat(schedule.dueWithin(nanos))
                    .as("%d", nanos)
                    .isEqualTo(LongStream.range(0, 100)
                            .filter(n -> schedule.dueNanos(n) < within)
                            .count());
        }
    }
}
