package io.millrace.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.collector.SourcesStatus;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** The metrics of all sources together. A label for each source would create a time series for each address. */
enum SourcesMetric {
    KNOWN("known", false, "Known sources", SourcesStatus::known),
    SILENT("silent", false, "Silent sources", SourcesStatus::silentCount),
    MISSING(
            "missing.datagrams",
            true,
            "Missing numbers in sequences of sources (sequence gaps), since the start",
            SourcesStatus::missing),
    FORGOTTEN(
            "forgotten",
            true,
            "Sources removed from the table, because it was full or after a week of silence, since the start",
            SourcesStatus::forgotten),
    UNTRACKED(
            "untracked.datagrams",
            true,
            "Datagrams that source tracking read and whose source was not added to the table, because it was full, since the start",
            SourcesStatus::untracked),
    BEHIND(
            "behind.datagrams",
            false,
            "Datagrams in the journal that source tracking has not read yet",
            SourcesStatus::behind),
    SKIPPED(
            "skipped.datagrams",
            true,
            "Datagrams that source tracking has not read, because more were in the journal than it reads, since the start",
            SourcesStatus::skipped);

    private final String metricName;
    private final boolean total;
    private final String help;

    @SuppressWarnings("ImmutableEnumChecker") // The functions have no state.
    private final ToDoubleFunction<SourcesStatus> value;

    SourcesMetric(String name, boolean total, String help, ToDoubleFunction<SourcesStatus> value) {
        this.metricName = CollectorMeters.PREFIX + "sources." + name;
        this.total = total;
        this.help = help;
        this.value = value;
    }

    void register(MeterRegistry registry, Supplier<SourcesStatus> sources) {
        // The registry references the object of a meter weakly, so the object is this constant, which is never
        // collected.
        ToDoubleFunction<SourcesMetric> now = metric -> metric.value.applyAsDouble(sources.get());
        if (total) {
            FunctionCounter.builder(metricName, this, now).description(help).register(registry);
        } else {
            Gauge.builder(metricName, this, now).description(help).register(registry);
        }
    }
}
