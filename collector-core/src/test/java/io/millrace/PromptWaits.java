package io.millrace;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets {@code await()} look after 2 ms for the first time, and then ever more rarely, up to 20 times per second. Its default of 100 ms is most
 * of the time that many tests take. JUnit finds this extension by itself.
 */
public final class PromptWaits implements BeforeAllCallback {
    private static final Duration FIRST = Duration.ofMillis(2);
    private static final Duration LONGEST = Duration.ofMillis(50);

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollDelay(FIRST);
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(PromptWaits::next, FIRST));
    }

    private static Duration next(Duration last) {
        Duration next = last.multipliedBy(3).dividedBy(2);
        return next.compareTo(LONGEST) > 0 ? LONGEST : next;
    }
}
