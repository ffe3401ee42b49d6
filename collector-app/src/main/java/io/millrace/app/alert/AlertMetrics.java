package io.millrace.app.alert;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.app.fault.Fault;
import io.millrace.app.fault.FaultKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Metrics of alerts. To be bound before each scrape, to the same registry. */
final class AlertMetrics implements MeterBinder {
    /** The maximum number of subjects of a kind with a series of their own. */
    static final int MAX_SUBJECTS = 100;

    private final Supplier<List<Fault>> firing;
    private final Supplier<Map<String, AlertCounts>> counts;
    private final Set<String> bound = new HashSet<>();
    private @Nullable MultiGauge gauge;

    AlertMetrics(Supplier<List<Fault>> firing, Supplier<Map<String, AlertCounts>> counts) {
        this.firing = firing;
        this.counts = counts;
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        if (gauge == null) {
            gauge = MultiGauge.builder("millrace.alert.firing")
                    .description("1 while the alert fires; the subject `" + Fault.OTHERS
                            + "` stands for all that have no series of their own")
                    .register(registry);
        }
        gauge.register(rows(firing.get()), true);
        counts.get().forEach((target, each) -> {
            if (!bound.add(target)) {
                return;
            }
            counter(registry, target, "sent.notifications", "Notifications that were sent", each, AlertCounts::sent);
            counter(
                    registry,
                    target,
                    "failed.attempts",
                    "Attempts to send a notification that failed",
                    each,
                    AlertCounts::failedAttempts);
            counter(
                    registry,
                    target,
                    "unsent.notifications",
                    "Notifications given up, after an hour of attempts or because too many waited",
                    each,
                    AlertCounts::unsent);
        });
    }

    private static List<MultiGauge.Row<?>> rows(List<Fault> faults) {
        Set<Tags> series = new LinkedHashSet<>();
        Map<FaultKind, Integer> subjects = new EnumMap<>(FaultKind.class);
        for (Fault fault : faults) {
            boolean isOwn = subjects.merge(fault.kind(), 1, Integer::sum) <= MAX_SUBJECTS;
            series.add(Tags.of("kind", fault.kind().key(), "subject", isOwn ? fault.subject() : Fault.OTHERS));
        }
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        series.forEach(tags -> rows.add(MultiGauge.Row.of(tags, 1)));
        return rows;
    }

    private static void counter(
            MeterRegistry registry,
            String target,
            String name,
            String help,
            AlertCounts counts,
            Function<AlertCounts, AtomicLong> value) {
        FunctionCounter.builder(
                        "millrace.alert." + name, counts, it -> value.apply(it).get())
                .description(help)
                .tag("target", target)
                .register(registry);
    }
}
