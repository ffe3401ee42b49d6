package io.millrace.app.admin;

import io.millrace.app.doctor.Doctor;
import io.millrace.app.doctor.DoctorSettings;
import io.millrace.app.doctor.host.LocalHost;
import io.millrace.app.report.Json;
import io.millrace.collector.Collector;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The doctor's findings about the running service, cached for one minute. Any thread. */
final class DoctorPage {
    private static final long FRESH_NS = TimeUnit.MINUTES.toNanos(1);

    private final Collector collector;
    private @Nullable String last;
    private long lastAtNs;

    DoctorPage(Collector collector) {
        this.collector = collector;
    }

    synchronized String json() {
        String answer = last;
        if (answer == null || System.nanoTime() - lastAtNs > FRESH_NS) {
            DoctorSettings settings = DoctorSettings.within(
                    collector.settings(), collector.outputs().size(), collector.grantedReceiveBuffer());
            answer = Json.doctor(Doctor.examine(new LocalHost(), settings), settings);
            last = answer;
            lastAtNs = System.nanoTime();
        }
        return answer;
    }
}
