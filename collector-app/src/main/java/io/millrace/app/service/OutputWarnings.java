package io.millrace.app.service;

import io.millrace.app.config.AlertSettings;
import io.millrace.app.config.Bound;
import io.millrace.app.config.Config;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputOptions;
import io.millrace.app.config.Problem;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.StreamInput;
import io.millrace.internal.text.IpText;
import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.file.FileSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an output does together with the rest of a configuration that is likely a mistake. */
final class OutputWarnings {
    private static final Set<String> THIS_HOST = Set.of("localhost", "127.0.0.1", "::1", "[::1]");

    private OutputWarnings() {}

    static List<Problem> of(Config config) {
        List<Problem> warnings = new ArrayList<>();
        Duration maxLag = config.all().get(AlertSettings.SECTION).get(AlertSettings.OUTPUT_LAG);
        overlaps(config, warnings);
        for (OutputConfig output : config.outputs()) {
            BatchSettings batch = output.type().batch();
            Bound batches = output.settings().get(batch.section());
            output.checked().warnings(batches.get(batch.bytes())).forEach(warning -> add(warnings, output, warning));
            Path place = output.checked().writesTo();
            add(
                    warnings,
                    output,
                    place == null
                            ? null
                            : UnitProtection.ofThisHost(output.mark().source()).warning(place));
            add(warnings, output, OutputOptions.formatWarning(output));
            OutputSettings.Destination to = output.checked().destination();
            add(warnings, output, to == null ? null : loop(to, config));
            Duration linger = batches.get(batch.linger());
            add(
                    warnings,
                    output,
                    linger.compareTo(maxLag) < 0
                            ? null
                            : "batch.linger is " + linger.toSeconds() + " s, and from alerts.outputLag on, which is "
                                    + maxLag.toSeconds() + " s, the output counts as lagging: make that longer");
        }
        return warnings;
    }

    private static void overlaps(Config config, List<Problem> warnings) {
        Map<String, FileSettings> files = new LinkedHashMap<>();
        config.outputs().forEach(output -> {
            if (output.checked() instanceof FileSettings settings) {
                files.put(output.name(), settings);
            }
        });
        Map<String, String> overlaps = FileSettings.overlaps(files);
        config.outputs().forEach(output -> add(warnings, output, overlaps.get(output.name())));
    }

    private static void add(List<Problem> warnings, OutputConfig output, @Nullable String warning) {
        if (warning != null) {
            warnings.add(Problem.of(output.mark(), "outputs." + output.name(), ": " + warning));
        }
    }

    private static @Nullable String loop(OutputSettings.Destination to, Config config) {
        for (CollectorSettings.Input input : config.inputs()) {
            if (to.udp() && reaches(to, input.address())) {
                return text(input.name());
            }
        }
        for (StreamInput input : config.streams()) {
            InetSocketAddress address = input.endpoint().address();
            if (!to.udp() && address != null && reaches(to, address)) {
                return text(input.name());
            }
        }
        return null;
    }

    private static boolean reaches(OutputSettings.Destination to, InetSocketAddress input) {
        boolean isHere =
                input.getAddress().isAnyLocalAddress() || input.getAddress().isLoopbackAddress();
        return to.port() == input.getPort()
                && (to.host().equals(IpText.of(input.getAddress())) || (isHere && THIS_HOST.contains(to.host())));
    }

    private static String text(String input) {
        return "it sends to input '" + input + "' of this service: each message comes back, and is sent again";
    }
}
