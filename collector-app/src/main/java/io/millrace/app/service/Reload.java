package io.millrace.app.service;

import io.millrace.app.alert.AlertTargets;
import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.Bound;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputOptions;
import io.millrace.app.config.PolicyConfig;
import io.millrace.app.config.Problem;
import io.millrace.app.config.Routing;
import io.millrace.app.config.SourcesSettings;
import io.millrace.app.report.ReloadReport;
import io.millrace.collector.Collector;
import io.millrace.message.NamedFilters;
import io.millrace.sink.Output;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloader of the configuration: it changes outputs, policy and alerts while datagrams are received. Sockets are not changed.
 * An invalid file changes nothing. Any thread; one reload at a time.
 */
public final class Reload {
    private static final Logger LOG = LoggerFactory.getLogger(Reload.class);

    private final Supplier<Config> loader;
    private final Collector collector;
    private final Config started;
    private Bound policy;
    private Map<String, OutputConfig> outputs;
    private volatile Routing current;
    private Config applied;
    private Consumer<AlertSettings> alerts = settings -> {};

    /**
     * Creates the reloader.
     *
     * @param loader loads the file with the options that override it
     * @param collector the running collector
     * @param started the configuration at the start
     */
    public Reload(Supplier<Config> loader, Collector collector, Config started) {
        this.loader = loader;
        this.collector = collector;
        this.started = started;
        this.applied = started;
        this.policy = started.policy();
        this.outputs = byName(started.outputs());
        this.current = started.routing();
    }

    /** Sets who takes new settings of alerts. It gets those of a reload before this call at once. */
    synchronized void onAlerts(Consumer<AlertSettings> listener) {
        alerts = listener;
        listener.accept(applied.alerts());
    }

    private static Map<String, OutputConfig> byName(List<OutputConfig> outputs) {
        Map<String, OutputConfig> byName = new LinkedHashMap<>();
        outputs.forEach(output -> byName.put(output.name(), output));
        return byName;
    }

    /**
     * Loads the configuration and applies the changes.
     *
     * @throws ConfigException if the file is invalid; nothing has changed then
     */
    synchronized ReloadReport run() {
        try {
            Config next = loader.get();
            ReloadReport report = change(next);
            report.warnings().forEach(warning -> LOG.warn("Configuration: {}", warning));
            LOG.info("Configuration read again: {}", report.text());
            return report;
        } catch (ConfigException e) {
            LOG.error(
                    "Configuration reload failed; the service continues with the previous one. {}",
                    String.valueOf(e.getMessage()).replace("\n", "; "));
            throw e;
        }
    }

    private ReloadReport change(Config next) {
        ServiceOutputs.checkFiles(started.data(), next.outputs());
        AlertTargets.check(next.alerts());
        Map<String, OutputConfig> wanted = byName(next.outputs());
        Routing routing = next.routing();
        Set<String> unchanged = new HashSet<>();
        List<String> begun = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        List<Output> others = new ArrayList<>();
        List<String> ended = outputs.keySet().stream()
                .filter(name -> !wanted.containsKey(name))
                .toList();
        boolean policyChanged = !policy.saysTheSameAs(next.policy());
        try {
            for (OutputConfig output : next.outputs()) {
                if (routing.saysTheSame(output, current)) {
                    unchanged.add(output.name());
                } else {
                    (outputs.containsKey(output.name()) ? changed : begun).add(output.name());
                    OutputOptions.checkHasPassed(output);
                    // The rules of inputs stay as at the start.
                    others.add(ServiceOutputs.make(started, routing, output));
                }
            }
            // The file is completely checked from here on.
            collector.reloadCertificates();
            if (policyChanged) {
                collector.setPolicy(PolicyConfig.settings(next.policy(), started.inputSeverities()));
                policy = next.policy();
            }
            if (!others.isEmpty() || !ended.isEmpty()) {
                collector.setOutputs(unchanged, others);
                outputs = wanted;
            }
            collector.refreshOutputs();
            if (!applied.hasSourcesOf(next)) {
                collector.setSilentAfter(SourcesSettings.rules(next.sources()));
            }
            current = routing;
            alerts.accept(next.alerts());
        } catch (RuntimeException e) {
            others.forEach(Reload::close);
            throw e;
        }
        boolean alertsChanged = !applied.hasAlertsOf(next);
        boolean sourcesChanged = !applied.hasSourcesOf(next);
        applied = next;
        return new ReloadReport(
                begun,
                changed,
                ended,
                policyChanged,
                started.needsRestart(next),
                alertsChanged,
                sourcesChanged,
                ServiceSettings.warnings(next).stream().map(Problem::toString).toList());
    }

    /**
     * Makes an output continue elsewhere in the journal.
     *
     * @param next the sequence number of the next datagram, by shard
     * @return false if there is no such output
     */
    synchronized boolean move(String name, long[] next) throws IOException {
        OutputConfig output = outputs.get(name);
        if (output == null) {
            return false;
        }
        collector.moveOutput(ServiceOutputs.make(started, current, output), next);
        return true;
    }

    /** The filters with names, of the last configuration that was applied. Any thread. */
    NamedFilters filters() {
        return current.filters();
    }

    private static void close(Output output) {
        try {
            output.sink().close();
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Output {}, which was not used, did not close well: {}",
                    output.settings().name(),
                    e.toString());
        }
    }

    /** Reloads and logs the result. */
    void runUnasked() {
        try {
            var unused = run();
        } catch (ConfigException e) {
            LOG.debug("Said already", e);
        } catch (RuntimeException e) {
            LOG.error("Configuration reload failed; the service continues with the previous one", e);
        }
    }
}
