package io.millrace.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.sources.SourcesStatus;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** What there is to tell of the sources together; a label for each source would be a series for each address there is. */
enum SourcesMetric {
    KNOWN("known", false, "Sources that are known") {
        @Override
        long of(SourcesStatus status) {
            return status.known();
        }
    },
    SILENT("silent", false, "Sources that are silent") {
        @Override
        long of(SourcesStatus status) {
            return status.silentCount();
        }
    },
    MISSING("missing.datagrams", true, "Numbers missing in what sources number, since the start") {
        @Override
        long of(SourcesStatus status) {
            return status.missing();
        }
    },
    FORGOTTEN("forgotten", true, "Sources forgotten, mostly for want of room, since the start") {
        @Override
        long of(SourcesStatus status) {
            return status.forgotten();
        }
    },
    BEHIND("behind.datagrams", false, "Datagrams in the journal that the watch has not looked at yet") {
        @Override
        long of(SourcesStatus status) {
            return status.behind();
        }
    };

    private final String metricName;
    private final boolean total;
    private final String help;

    SourcesMetric(String name, boolean total, String help) {
        this.metricName = CollectorMetrics.PREFIX + "sources." + name;
        this.total = total;
        this.help = help;
    }

    abstract long of(SourcesStatus status);

    void register(MeterRegistry registry, Supplier<SourcesStatus> sources) {
        // The registry holds what it asks weakly: the constant stays, and the function holds the rest.
        ToDoubleFunction<SourcesMetric> value = figure -> figure.of(sources.get());
        if (total) {
            FunctionCounter.builder(metricName, this, value).description(help).register(registry);
        } else {
            Gauge.builder(metricName, this, value).description(help).register(registry);
        }
    }
}
