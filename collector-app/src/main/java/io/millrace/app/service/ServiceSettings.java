package io.millrace.app.service;

import io.millrace.app.alert.AlertTargets;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.JournalSettings;
import io.millrace.app.config.PolicyConfig;
import io.millrace.app.config.Problem;
import io.millrace.app.config.Routing;
import io.millrace.app.config.SourcesSettings;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.setting.SettingException;
import io.millrace.sink.Output;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates a collector from the configuration. */
public final class ServiceSettings {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceSettings.class);

    private ServiceSettings() {}

    public static Collector collector(Config config) {
        return collector(config, List.of());
    }

    /**
     * Creates a collector.
     *
     * @param adopted sockets that other processes have bound
     * @throws IllegalArgumentException if the library rejects the settings; a {@link ConfigException} if their place is
     *     known
     */
    public static Collector collector(Config config, List<BoundSocket> adopted) {
        CollectorBuilder builder = Collector.builder()
                .onFatal(FatalExit::end)
                .journal(config.data())
                .adopt(adopted)
                .settings(config.receive().settings())
                .sources(config.sources().get(SourcesSettings.WATCH))
                .silentAfter(SourcesSettings.rules(config.sources()));
        config.inputs().forEach(input -> builder.listen(input.name(), input.address(), input.gelfChunks()));
        config.streams().forEach(input -> builder.listen(input.name(), input.endpoint(), input.settings()));
        JournalSettings.apply(config.journal().settings(), builder);
        builder.policy(PolicyConfig.settings(config.policy(), config.inputSeverities()));
        ServiceOutputs.checkFiles(config.data(), config.outputs());
        AlertTargets.check(config.alerts());
        Routing routing = config.routing();
        config.outputs().forEach(output -> {
            Output made = ServiceOutputs.make(config, routing, output);
            builder.deliver(made.settings(), made.sink());
        });
        try {
            return builder.build();
        } catch (SettingException e) {
            throw config.all().placed("", e);
        }
    }

    /** Warnings about valid settings that may not be intended. */
    public static List<Problem> warnings(Config config) {
        List<Problem> warnings = new ArrayList<>(config.warnings());
        warnings.addAll(config.routing().warnings());
        warnings.addAll(OutputWarnings.of(config));
        warnings.addAll(config.alerts().warnings());
        return warnings;
    }

    public static void logWarnings(Config config) {
        warnings(config).forEach(warning -> LOG.warn("Configuration: {}", warning));
    }
}
