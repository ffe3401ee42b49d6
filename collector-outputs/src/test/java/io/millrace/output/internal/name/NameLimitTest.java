package io.millrace.output.internal.name;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many names messages may make. */
class NameLimitTest {
    private final AtomicLong clockNs = new AtomicLong(-5);

    private NameLimit limit(int max, int perMinute) {
        return new NameLimit(max, perMinute, clockNs::get);
    }

    private static long admitted(NameLimit limit, String prefix, int count) {
        return IntStream.range(0, count).filter(i -> limit.admits(prefix + i)).count();
    }

    @Test
    void limitsNewNamesPerMinute() {
        NameLimit limit = limit(1000, 60);
        assertThat(admitted(limit, "a", 500)).isEqualTo(60);
        assertThat(admitted(limit, "b", 500)).isZero();
        clockNs.addAndGet(TimeUnit.SECONDS.toNanos(10));
        assertThat(admitted(limit, "b", 500)).isEqualTo(10);
        clockNs.addAndGet(TimeUnit.HOURS.toNanos(1));
        assertThat(admitted(limit, "c", 500)).isEqualTo(60);
    }

    @Test
    void admitsKnownNames() {
        NameLimit limit = limit(10, 5);
        assertThat(admitted(limit, "a", 5)).isEqualTo(5);
        assertThat(admitted(limit, "b", 100)).isZero();
        assertThat(admitted(limit, "a", 5)).isEqualTo(5);
    }

    @Test
    void forgetsNamesAfterADay() {
        NameLimit limit = limit(3, 100);
        assertThat(admitted(limit, "a", 5)).isEqualTo(3);
        clockNs.addAndGet(TimeUnit.HOURS.toNanos(20));
        assertThat(limit.admits("a1")).isTrue();
        clockNs.addAndGet(TimeUnit.HOURS.toNanos(5));
        assertThat(admitted(limit, "b", 5)).isEqualTo(2);
        assertThat(limit.admits("a1")).isTrue();
    }

    @Test
    void existingNamesDoNotCountAsNew() {
        NameLimit limit = limit(3, 1);
        limit.note("old");
        limit.note("older");
        assertThat(limit.admits("new")).isTrue();
        assertThat(limit.admits("newer")).isFalse();
        assertThat(limit.admits("old")).isTrue();
    }
}
