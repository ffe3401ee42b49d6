package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class FailureLogTest {
    private final List<String> levels = new ArrayList<>();
    private final Logger log = (Logger) Proxy.newProxyInstance(
            Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                levels.add(method.getName());
                return null;
            });

    @Test
    void failuresThatRepeatAreLoggedOnce() {
        FailureLog failures = new FailureLog(log);
        for (int i = 0; i < 1000; i++) {
            failures.report("failed {}", i);
        }
        assertThat(levels).containsExactly("warn");
    }

    /** A destination that fails and answers in turn wrote two lines each time. */
    @Test
    void failuresThatComeAndGoAreLoggedOnceWithTheirEnd() {
        FailureLog failures = new FailureLog(log);
        for (int i = 0; i < 1000; i++) {
            failures.reportOnce("failed {}", i);
            failures.recovered("works again {}", i);
        }
        assertThat(levels).containsExactly("warn", "info");
    }

    @Test
    void failureThatLastsIsLoggedAsSoonAsTheIntervalIsOver() throws InterruptedException {
        FailureLog failures = new FailureLog(log, TimeUnit.MILLISECONDS.toNanos(50));
        failures.reportOnce("failed {}", 1);
        failures.recovered("works again {}", 1);
        failures.reportOnce("failed {}", 2);
        assertThat(levels).containsExactly("warn", "info");
        Thread.sleep(60);
        failures.reportOnce("failed {}", 2);
        failures.reportOnce("failed {}", 2);
        assertThat(levels).containsExactly("warn", "info", "warn");
    }
}
