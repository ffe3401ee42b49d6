package io.millrace.app;

import io.millrace.app.config.Bound;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.Entry;
import io.millrace.app.config.Mark;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputSettings;
import io.millrace.app.config.PolicyConfig;
import io.millrace.app.config.Problem;
import io.millrace.app.config.ReceiveSettings;
import io.millrace.app.config.Setting;
import io.millrace.app.config.SourcesSettings;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.deliver.SinkSettings;
import io.millrace.format.InputRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** From the configuration to a collector. */
final class RunSettings {
    private RunSettings() {}

    /**
     * A collector, not started.
     *
     * @throws IllegalArgumentException if the library does not take the settings; a {@link ConfigException} if it can be
     *     told where they were given
     */
    static Collector collector(Config config) {
        Bound receive = config.receive();
        CollectorBuilder builder = Collector.builder()
                .journal(config.data())
                .transport(receive.get(ReceiveSettings.TRANSPORT))
                .receivers(receive.get(ReceiveSettings.RECEIVERS))
                .threading(receive.get(ReceiveSettings.THREADING))
                .steering(receive.get(ReceiveSettings.STEERING))
                .gro(receive.get(ReceiveSettings.GRO))
                .busyPoll(receive.get(ReceiveSettings.BUSY_POLL))
                .receiverPinning(receive.get(ReceiveSettings.RECEIVER_CPUS))
                .writerPinning(receive.get(ReceiveSettings.WRITER_CPUS))
                .receiveBuffer(receive.get(ReceiveSettings.RECEIVE_BUFFER))
                .maxDatagram(receive.get(ReceiveSettings.MAX_DATAGRAM))
                .stopLinger(receive.get(ReceiveSettings.STOP_LINGER))
                .sources(config.sources().get(SourcesSettings.WATCH))
                .silentAfter(config.sources().get(SourcesSettings.SILENT_AFTER));
        config.inputs().forEach(input -> builder.listen(input.name(), input.address()));
        PolicyConfig.apply(config.policy(), builder);
        checkFiles(config.outputs());
        config.outputs().forEach(output -> deliver(builder, config, output));
        try {
            return builder.build();
        } catch (IllegalArgumentException e) {
            Problem problem = problem(receive, String.valueOf(e.getMessage()));
            if (problem == null) {
                throw e;
            }
            ConfigException placed = new ConfigException(List.of(problem));
            placed.initCause(e);
            throw placed;
        }
    }

    /** Files whose names depend on messages are not known yet: those are locked when they are opened. */
    private static void checkFiles(List<OutputConfig> outputs) {
        Map<Path, String> owners = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        for (OutputConfig output : outputs) {
            Path file = output.type().ownFile(output);
            String owner = file == null ? null : owners.putIfAbsent(file, output.name());
            if (owner != null) {
                String text = "takes a file of its own, and output '" + owner + "' writes to " + file + " too";
                problems.add(Problem.of(output.mark(), "outputs." + output.name(), text));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    private static void deliver(CollectorBuilder builder, Config config, OutputConfig output) {
        try {
            SinkSettings settings = SinkSettings.of(output.name())
                    .where(output.settings().find(OutputSettings.WHERE))
                    .from(output.settings().get(OutputSettings.FROM))
                    .rules(new InputRules(config.timeZone(), false), config.inputRules())
                    .extensions(OutputSettings.extensions(output));
            builder.deliver(settings, output.type().sink(output, config.timeZone()));
        } catch (IllegalArgumentException e) {
            ConfigException placed = new ConfigException(
                    List.of(Problem.of(output.mark(), "outputs." + output.name(), ": " + e.getMessage())));
            placed.initCause(e);
            throw placed;
        }
    }

    /** The library begins its messages with a setting's name, as flags have it; null if that was not given. */
    private static @Nullable Problem problem(Bound receive, String message) {
        for (Entry entry : ReceiveSettings.SECTION.entries()) {
            if (entry instanceof Setting<?> setting && message.matches("(?s)" + setting.flagName() + "[ :].*")) {
                Mark mark = receive.mark(setting);
                String rest = message.substring(setting.flagName().length());
                return mark == null
                        ? null
                        : Problem.of(mark, ReceiveSettings.SECTION.key() + "." + setting.key(), rest);
            }
        }
        return null;
    }
}
