package io.millrace.sender.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class StepScheduleTest {
    private static final long SECOND = 1_000_000_000;

    @Test
    void stepsFollowEachOtherExactly() {
        StepSchedule schedule = StepSchedule.parse("3:1s,1k:2s,0.5:3s");
        assertThat(schedule.count()).isEqualTo(3 + 2000 + 2);
        assertThat(schedule.nanos()).isEqualTo(6 * SECOND);
        assertThat(schedule.dueNanos(0)).isZero();
        assertThat(schedule.dueNanos(1)).isEqualTo(333_333_333);
        assertThat(schedule.dueNanos(3)).isEqualTo(SECOND);
        assertThat(schedule.dueNanos(4)).isEqualTo(SECOND + 1_000_000);
        assertThat(schedule.dueNanos(2002)).isEqualTo(SECOND + 1_999_000_000);
        assertThat(schedule.dueNanos(2003)).isEqualTo(3 * SECOND);
        assertThat(schedule.dueNanos(2004)).isEqualTo(5 * SECOND);
        assertThat(schedule.dueNanos(2005)).as("the end").isEqualTo(6 * SECOND);
        assertThat(schedule.askedRate(2005)).isEqualTo(2005 / 6.0);
    }

    @ParameterizedTest
    @CsvSource({"10k..1M:60s, 30300000", "1M..10k:60s, 30300000", "1..3:1s, 2", "1..2:1s, 2", "100..100:10s, 1000"})
    void rampCountIsTheAreaUnderItsLine(String text, long count) {
        assertThat(StepSchedule.parse(text).count()).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10k..1M:60s", "1M..10k:60s", "100k..100001:1s", "0.001..1000M:10s", "7..7:3s"})
    void rampDueTimesAreExact(String text) {
        StepSchedule schedule = StepSchedule.parse(text);
        String[] rates = text.split(":", -1)[0].split("\\.\\.", -1);
        BigDecimal a = Rate.parse(rates[0]).perSecond();
        BigDecimal b = Rate.parse(rates[1]).perSecond();
        BigDecimal seconds = BigDecimal.valueOf(schedule.nanos()).movePointLeft(9);
        BigDecimal growth = b.subtract(a).divide(seconds, MathContext.DECIMAL128);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            long m = i < 10 ? Math.min(i, schedule.count() - 1) : random.nextLong(schedule.count());
            BigDecimal exact = BigDecimal.valueOf(2 * m)
                    .divide(
                            a.add(a.multiply(a)
                                    .add(growth.multiply(BigDecimal.valueOf(2 * m)))
                                    .sqrt(MathContext.DECIMAL128)),
                            MathContext.DECIMAL128)
                    .movePointRight(9);
            assertThat(BigDecimal.valueOf(schedule.dueNanos(m)).subtract(exact).abs())
                    .as("%s, datagram %d, seed %d", text, m, seed)
                    .isLessThanOrEqualTo(BigDecimal.ONE);
        }
    }

    @Test
    void ratesMayHaveDecimalsAndSuffixes() {
        assertThat(StepSchedule.parse("1.5k:1s").count()).isEqualTo(1500);
        assertThat(StepSchedule.parse("0.5k..1.5k:1s").count()).isEqualTo(1000);
    }

    @Test
    void timesNeverGoBack() {
        StepSchedule schedule = StepSchedule.parse("1k:1s,1k..3k:1s,3k..10:1s,5:1s");
        long before = 0;
        for (long n = 0; n <= schedule.count(); n++) {
            long due = schedule.dueNanos(n);
            assertThat(due).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(schedule.nanos());
            before = due;
        }
        assertThat(schedule.dueWithin(schedule.nanos())).isEqualTo(schedule.count());
        assertThat(schedule.dueWithin(SECOND)).isEqualTo(1000);
        assertThat(schedule.dueWithin(0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "1k:",
                ":1s",
                "1k:1s,",
                ",1k:1s",
                "max:1s",
                "1..max:1s",
                "1k:1",
                "1k..:1s",
                "..1k:1s",
                "0:1s",
                "1k:1s:2s",
                "1k 1s"
            })
    void rejectsOtherTextsAndQuotesThePart(String text) {
        assertThatThrownBy(() -> StepSchedule.parse(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("RATE:TIME")
                .hasMessageContaining("cannot read");
    }
}
