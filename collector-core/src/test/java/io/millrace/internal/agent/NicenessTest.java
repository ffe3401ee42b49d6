package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.LastErrorException;
import io.millrace.internal.agent.AgentRunner.Niceness;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NicenessTest {
    private static final int EPERM = 1;

    private final AtomicInteger runs = new AtomicInteger();

    @Test
    void taskRunsIfTheKernelRefuses() {
        Niceness.raised(runs::incrementAndGet, () -> {
                    throw new LastErrorException(EPERM);
                })
                .run();
        assertThat(runs).hasValue(1);
    }

    @Test
    void taskRunsIfTheLibraryCannotBeLoaded() {
        Niceness.raised(runs::incrementAndGet, () -> {
                    throw new UnsatisfiedLinkError("thrown by the test, as it should be");
                })
                .run();
        assertThat(runs).hasValue(1);
    }
}
