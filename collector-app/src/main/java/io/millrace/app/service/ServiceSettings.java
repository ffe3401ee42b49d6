package io.millrace.app.service;

import io.millrace.app.alert.AlertTargets;
import io.millrace.app.config.Bound;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.JournalSettings;
import io.millrace.app.config.Mark;
import io.millrace.app.config.PolicyConfig;
import io.millrace.app.config.Problem;
import io.millrace.app.config.ReceiveSettings;
import io.millrace.app.config.Routing;
import io.millrace.app.config.SourcesSettings;
import io.millrace.app.sink.file.FileOverlaps;
import io.millrace.app.sink.file.FilePaths;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.setting.Entry;
import io.millrace.setting.Setting;
import io.millrace.sink.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates a collector from the configuration. */
public final class ServiceSettings {
    private static final Map<String, String> METHODS =
            Map.of("latency", "receiveLatency", "receiverCpus", "receiverPinning", "writerCpus", "writerPinning");

    private static final Logger LOG = LoggerFactory.getLogger(ServiceSettings.class);

    private ServiceSettings() {}

    /** Creates a collector that binds its sockets. */
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
        Bound receive = config.receive();
        CollectorBuilder builder = Collector.builder()
                .onFatal(FatalExit::end)
                .journal(config.data())
                .adopt(adopted)
                .transport(receive.get(ReceiveSettings.TRANSPORT))
                .receivers(receive.get(ReceiveSettings.RECEIVERS))
                .threading(receive.get(ReceiveSettings.THREADING))
                .steering(receive.get(ReceiveSettings.STEERING))
                .packetTimestamps(receive.get(ReceiveSettings.PACKET_TIMESTAMPS))
                .gro(receive.get(ReceiveSettings.GRO))
                .busyPoll(receive.get(ReceiveSettings.BUSY_POLL))
                .receiveLatency(receive.get(ReceiveSettings.LATENCY))
                .receiverPinning(receive.get(ReceiveSettings.RECEIVER_CPUS))
                .writerPinning(receive.get(ReceiveSettings.WRITER_CPUS))
                .receiveBuffer(receive.get(ReceiveSettings.RECEIVE_BUFFER))
                .maxDatagram(receive.get(ReceiveSettings.MAX_DATAGRAM))
                .stopLinger(receive.get(ReceiveSettings.STOP_LINGER))
                .sources(config.sources().get(SourcesSettings.WATCH))
                .silentAfter(SourcesSettings.rules(config.sources()));
        config.inputs().forEach(input -> builder.listen(input.name(), input.address(), input.gelfChunks()));
        config.streams().forEach(input -> builder.listen(input.name(), input.endpoint(), input.settings()));
        JournalSettings.apply(config.journal(), builder);
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
        } catch (IllegalArgumentException e) {
            Problem problem = problem(config, String.valueOf(e.getMessage()));
            if (problem == null) {
                throw e;
            }
            ConfigException placed = new ConfigException(List.of(problem));
            placed.initCause(e);
            throw placed;
        }
    }

    /** Warnings about valid settings that may not be intended. */
    public static List<Problem> warnings(Config config) {
        List<Problem> warnings = new ArrayList<>(config.warnings());
        warnings.addAll(config.routing().warnings());
        warnings.addAll(FileOverlaps.warnings(config.outputs(), FilePaths::resolved));
        warnings.addAll(OutputWarnings.of(config));
        warnings.addAll(config.alerts().warnings());
        return warnings;
    }

    /** Logs the warnings. */
    public static void logWarnings(Config config) {
        warnings(config).forEach(warning -> LOG.warn("Configuration: {}", warning));
    }

    /** What the builder of the library calls a setting. */
    private static String method(Setting<?> setting) {
        return METHODS.getOrDefault(setting.key(), setting.key());
    }

    /** The setting that a message of the library begins with; null if it was not given. */
    private static @Nullable Problem problem(Config config, String message) {
        Bound receive = config.receive();
        if (message.startsWith("retention ")) {
            return Problem.of(config.journal().mark(), JournalSettings.SECTION.key(), ": " + message);
        }
        for (Entry entry : ReceiveSettings.SECTION.entries()) {
            if (entry instanceof Setting<?> setting && message.matches("(?s)" + method(setting) + "[ :].*")) {
                Mark mark = receive.mark(setting);
                String rest = message.substring(method(setting).length());
                return mark == null
                        ? null
                        : Problem.of(mark, ReceiveSettings.SECTION.key() + "." + setting.key(), rest);
            }
        }
        return null;
    }
}
