package io.millrace.app.command;

import io.millrace.app.alert.AlertTargets;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.control.DataSearch;
import io.millrace.app.report.BuildInfo;
import io.millrace.app.service.ConnectCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace alerts}: tries the alerts of a configuration. */
@Command(
        name = "alerts",
        description = "Send a test to the webhooks and the program of the section alerts.",
        footer = {
            "",
            "Examples:",
            "  millrace alerts test /etc/millrace/millrace.yaml",
            "  millrace alerts test /etc/millrace/millrace.yaml ops",
        })
public final class AlertsCommand extends HelpOption implements Runnable {
    /** Each target ends at its own limit, and says what it waited for. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final String WEBHOOKS = "webhooks.";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "alerts accepts test");
    }

    @Command(
            name = "test",
            description = {
                "Send one alert of the kind 'test' to each webhook and to the program, and print what answered.",
                "It needs no running service. The program runs as the user of this command.",
                "Exit code 1 if one failed.",
            })
    int test(
            @Option(
                            names = "--config",
                            paramLabel = "FILE",
                            description = "The same file as an option, as in 'millrace run'.")
                    @Nullable
                    Path option,
            @Parameters(
                            index = "0",
                            paramLabel = "FILE",
                            arity = "0..1",
                            description =
                                    "The configuration file of the service (default: that of the package, if it is there).")
                    @Nullable
                    Path argument,
            @Parameters(
                            index = "1",
                            paramLabel = "NAME",
                            arity = "0..1",
                            description = "The name of a webhook, or 'command' (default: all of them).")
                    @Nullable
                    String second,
            @Mixin ConfigCommand.HelpMixin help)
            throws InterruptedException {
        Path named = option == null ? argument : option;
        Path file = named == null && Files.exists(DataSearch.PACKAGE_CONFIG) ? DataSearch.PACKAGE_CONFIG : named;
        // With the option, the name is the only argument.
        String name = option == null || argument == null ? second : argument.toString();
        if (file == null || (option != null && second != null)) {
            throw new IllegalArgumentException(
                    "alerts test accepts one configuration file: millrace alerts test FILE [NAME]");
        }
        Config config = new ConfigLoader(OutputTypes.ALL, System.getenv()).load(file, new Overrides());
        Map<String, Callable<String>> all =
                AlertTargets.tests(config.alerts(), BuildInfo.read().version());
        List<ConnectCheck.Result> results = ConnectCheck.run(named(all, name, file), LIMIT);
        System.out.print(lines(results));
        System.out.flush();
        return results.stream().allMatch(ConnectCheck.Result::isReached) ? 0 : 1;
    }

    private static Map<String, Callable<String>> named(
            Map<String, Callable<String>> all, @Nullable String name, Path file) {
        if (all.isEmpty()) {
            throw new IllegalArgumentException(
                    file + " has no alerts: set alerts.webhooks or alerts.command, as docs/operate/alerts.md says");
        }
        if (name == null) {
            return all;
        }
        for (String key : List.of(WEBHOOKS + name, name)) {
            Callable<String> found = all.get(key);
            if (found != null) {
                return Map.of(key, found);
            }
        }
        throw new IllegalArgumentException("there is no alert target '" + name + "' in " + file + ", only "
                + all.keySet().stream()
                        .map(key -> key.startsWith(WEBHOOKS) ? key.substring(WEBHOOKS.length()) : key)
                        .collect(Collectors.joining(", ")));
    }

    static String lines(List<ConnectCheck.Result> results) {
        return results.stream()
                .map(it -> (it.isReached() ? "ok      " : "FAILED  ") + it.name() + ": " + it.text() + "\n")
                .collect(Collectors.joining());
    }
}
