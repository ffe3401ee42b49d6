package io.millrace.app.admin;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.millrace.collector.Collector;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.SinkStatus;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics as Prometheus reads them. To be created at the first scrape: a service that nobody scrapes does not load the libraries. Any
 * thread.
 */
final class MetricsText implements AutoCloseable {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern LABEL_VALUE = Pattern.compile("=\"((?:[^\"\\\\]|\\\\.)*+)\"");

    private final Collector collector;
    private final MeterBinder others;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics gcMetrics = new JvmGcMetrics();
    private List<String> boundOutputs = List.of();
    private volatile double scrapeSeconds;

    /**
     * Binds the metrics of the collector and of the process.
     *
     * @param others further metrics, which are bound before each scrape
     */
    MetricsText(Collector collector, MeterBinder others) {
        this.collector = collector;
        this.others = others;
        // Metrics of thread states are omitted: the JVM stops all threads, including receivers, to collect them.
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("jvm.threads.states"));
        collector.metrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessMetrics().bindTo(registry);
        gcMetrics.bindTo(registry);
        Gauge.builder("millrace.scrape.cpu.seconds", this, it -> it.scrapeSeconds)
                .description("CPU time the last scrape before this one took")
                .register(registry);
    }

    /** The metrics now. */
    String scrape() {
        long startNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        bindOutputs();
        others.bindTo(registry);
        String text = registry.scrape();
        scrapeSeconds = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - startNs) / 1e9;
        return withoutSecrets(text);
    }

    /** A reload adds and removes outputs. */
    private synchronized void bindOutputs() {
        List<String> names = collector.outputs().stream().map(SinkStatus::name).toList();
        if (!names.equals(boundOutputs)) {
            collector.metrics().bindOutputs(registry);
            boundOutputs = names;
        }
    }

    /** The values of labels. Numbers and names of metrics are never secret and must not be redacted. */
    private static String withoutSecrets(String metrics) {
        Secrets secrets = Secrets.known();
        if (secrets.redact(metrics).equals(metrics)) {
            return metrics;
        }
        return LABEL_VALUE
                .matcher(metrics)
                .replaceAll(label -> Matcher.quoteReplacement("=\"" + secrets.redact(label.group(1)) + "\""));
    }

    @Override
    public void close() {
        gcMetrics.close();
    }
}
