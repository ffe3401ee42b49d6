package io.millrace.app.service;

import io.millrace.app.config.Bound;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputOptions;
import io.millrace.app.config.Problem;
import io.millrace.app.config.Routing;
import io.millrace.message.Edit;
import io.millrace.message.InputRules;
import io.millrace.output.BatchSettings;
import io.millrace.output.internal.FilePaths;
import io.millrace.sink.Output;
import io.millrace.sink.SinkSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates outputs from their descriptions. */
final class ServiceOutputs {
    private ServiceOutputs() {}

    /** The names that a collector creates in its data directory, by their beginnings. */
    private static final List<String> KEPT =
            List.of("LOCK", "meta.json", "counters", "sockets", "control", "journal", "positions", "dead-letters");

    /**
     * Checks the files of outputs. Files whose names depend on messages are unknown here, and are locked when they are
     * opened.
     *
     * @param data the data directory, which only the collector may use
     * @throws ConfigException if two outputs write to one file, or one writes to the collector's files
     */
    static void checkFiles(Path data, List<OutputConfig> outputs) {
        Map<Path, String> owners = new HashMap<>();
        List<Problem> problems = new ArrayList<>();
        Path kept = FilePaths.resolved(data);
        for (OutputConfig output : outputs) {
            Path file = output.checked().ownFile();
            String owner = file == null ? null : owners.putIfAbsent(file, output.name());
            if (owner != null) {
                String text = "requires a file of its own, and output '" + owner + "' writes to " + file + " too";
                problems.add(Problem.of(output.mark(), "outputs." + output.name(), text));
            }
            Path place = output.checked().writesTo();
            if (place != null && isKept(kept, FilePaths.resolved(place), file != null)) {
                String text = "accepts a path outside of the data directory " + data
                        + ", or in a directory of its own there," + " and not " + place;
                problems.add(Problem.of(output.mark(), "outputs." + output.name(), text));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
    }

    /**
     * True if it is a file of the collector; other directories within the data directory are allowed, as in a container
     * with one volume.
     */
    private static boolean isKept(Path data, Path place, boolean isFile) {
        if (!place.startsWith(data)) {
            return false;
        }
        Path inside = data.relativize(place);
        String first = inside.getName(0).toString();
        return place.equals(data)
                || (isFile && inside.getNameCount() == 1)
                || KEPT.stream().anyMatch(first::startsWith);
    }

    /**
     * Creates an output.
     *
     * @param config the configuration with the rules of the inputs
     * @param routing which messages it takes
     * @throws ConfigException if it is not possible; it has the place in the file
     */
    static Output make(Config config, Routing routing, OutputConfig output) {
        BatchSettings batch = output.type().batch();
        Bound batchValues = output.settings().get(batch.section());
        try {
            List<Edit> edits = OutputOptions.edits(output);
            SinkSettings settings = SinkSettings.of(output.name())
                    .edit(edits)
                    .where(routing.filter(output))
                    .settings(output.settings().settings())
                    .from(output.settings().get(OutputOptions.FROM))
                    .to(OutputOptions.to(output))
                    .rules(new InputRules(config.timeZone(), false), config.inputRules())
                    .batches(batchValues.get(batch.bytes()))
                    .linger(batchValues.get(batch.linger()))
                    .fields(OutputOptions.fields(output));
            return new Output(settings, output.checked().sink(output.name()));
        } catch (IllegalArgumentException e) {
            ConfigException placed = new ConfigException(
                    List.of(Problem.of(output.mark(), "outputs." + output.name(), ": " + e.getMessage())));
            placed.initCause(e);
            throw placed;
        }
    }
}
