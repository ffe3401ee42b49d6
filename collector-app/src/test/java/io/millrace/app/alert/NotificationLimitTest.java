package io.millrace.app.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NotificationLimitTest {
    private static final Instant NOW = Instant.parse("2026-11-25T08:00:00Z");

    private final NotificationLimit limit = new NotificationLimit(100);

    private List<Notification> at(long second, Fault.Level level, int begins, int ends) {
        Fault fault = new Fault(FaultKind.OUTPUT_FAILING, "loki", level, "it fails", null, null);
        List<Notification> all = new ArrayList<>(
                Collections.nCopies(begins, Notification.of(fault, Notification.State.FIRING, false, NOW, NOW)));
        all.addAll(Collections.nCopies(ends, Notification.of(fault, Notification.State.RESOLVED, false, NOW, NOW)));
        return limit.admit(all, TimeUnit.SECONDS.toNanos(second), NOW);
    }

    private List<Notification> at(long second, int begins, int ends) {
        return at(second, Fault.Level.DEGRADED, begins, ends);
    }

    @Test
    void noticesLeaveRoomForFaultsOfTheService() {
        assertThat(at(0, Fault.Level.NOTICE, 1000, 0)).hasSize(50);
        assertThat(at(1, Fault.Level.FAILING, 60, 0)).hasSize(50);
    }

    @Test
    void whatIsAboveTheLimitIsSummedUpInOne() {
        assertThat(at(0, 60, 0)).hasSize(60);
        assertThat(at(1, 60, 5)).hasSize(40);
        assertThat(at(59, 1, 0)).isEmpty();
        List<Notification> next = at(60, 200, 0);
        assertThat(next).hasSize(100);
        assertThat(next.get(0).kind()).isEqualTo("summary");
        assertThat(next.get(0).summary()).isEqualTo("21 more faults began or last, and 5 ended");
        assertThat(next.get(0).state()).isEqualTo(Notification.State.FIRING);
        assertThat(at(120, 0, 0))
                .singleElement()
                .satisfies(it -> assertThat(it.summary()).isEqualTo("101 more faults began or last, and 0 ended"));
        assertThat(at(180, 0, 0)).isEmpty();
    }
}
