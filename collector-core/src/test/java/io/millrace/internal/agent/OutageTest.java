package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

class OutageTest {
    private final List<String> lines = new ArrayList<>();
    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                Object[] values = arguments.length == 2 && arguments[1] instanceof Object[] array
                        ? array
                        : List.of(arguments).subList(1, arguments.length).toArray();
                lines.add(method.getName() + " "
                        + MessageFormatter.arrayFormat((String) arguments[0], values)
                                .getMessage());
                return null;
            });
    private final Outage outage = new Outage(log, "Output a");

    @Test
    void endSaysHowLongAndHowFarBehind() {
        outage.failed("refused", 10);
        outage.failed("refused", 1234);
        outage.failed("refused", 7);
        assertThat(outage.isOn()).isTrue();
        outage.over(3);
        assertThat(outage.isOn()).isFalse();
        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).isEqualTo("warn Output a cannot deliver and retries: refused");
        assertThat(lines.get(1)).matches("info Output a delivers again after \\d+ ms; it was 1234 messages behind");
    }

    @Test
    void slowDestinationThatAnswersHasAnEndToo() {
        outage.slow("the destination has not answered for 10 s", TimeUnit.SECONDS.toNanos(10), 5);
        outage.slow("the destination has not answered for 11 s", TimeUnit.SECONDS.toNanos(11), 6);
        outage.over(0);
        assertThat(lines)
                .containsExactly(
                        "warn Output a: the destination has not answered for 10 s",
                        "info Output a delivers again after 10 s; it was 6 messages behind");
    }

    @Test
    void slowDestinationThatFailsThenHasOneEnd() {
        outage.slow("the destination has not answered for 10 s", TimeUnit.SECONDS.toNanos(10), 5);
        outage.failed("it has accepted no data", 6);
        outage.over(0);
        outage.over(0);
        assertThat(lines)
                .containsExactly(
                        "warn Output a: the destination has not answered for 10 s",
                        "warn Output a cannot deliver and retries: it has accepted no data",
                        "info Output a delivers again after 10 s; it was 6 messages behind");
    }

    @Test
    void outagesThatFollowEachOtherAreLoggedOnce() {
        for (int i = 0; i < 1000; i++) {
            outage.failed("refused", 1);
            outage.over(1);
        }
        assertThat(lines).hasSize(2);
    }
}
