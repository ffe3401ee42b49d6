package io.millrace.app.command;

import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.ConfigReference;
import io.millrace.app.config.ConfigText;
import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputOptions;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.control.DataSearch;
import io.millrace.app.service.ConnectCheck;
import io.millrace.app.service.ServiceSettings;
import io.millrace.output.http.HttpOutputSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code millrace config}: checks, shows and documents the configuration. It starts nothing. */
@Command(
        name = "config",
        description = "Write, check or show a configuration file, explain all settings, or print what a server needs.",
        footer = {
            "",
            "Examples:",
            "  millrace config init /etc/millrace/millrace.yaml",
            "  millrace config check /etc/millrace/millrace.yaml",
            "  millrace config check --connect /etc/millrace/millrace.yaml",
            "  millrace config show                              the defaults",
            "  millrace config reference --format text",
            "  millrace config template elasticsearch            an index template for the server"
        })
public final class ConfigCommand extends HelpOption implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "config accepts init, check, show, reference or template");
    }

    /** The option that names the file. */
    static final class Options extends HelpOption {
        @ArgGroup(multiplicity = "0..1")
        private Source source = new Source();

        /** The file, as an argument or as the option that {@code run} has. */
        static final class Source {
            @Parameters(
                    paramLabel = "FILE",
                    description = "The file (default: none, all settings have their defaults).")
            private @Nullable Path argument;

            @Option(
                    names = "--config",
                    paramLabel = "FILE",
                    description = "The same as an option, as in 'millrace run'.")
            private @Nullable Path option;
        }

        private @Nullable Path file() {
            return source.argument == null ? source.option : source.argument;
        }

        /** The configuration as {@code run} would load it. */
        private Config load() {
            Config config = new ConfigLoader(OutputTypes.ALL, System.getenv()).load(file(), new Overrides());
            var unused = ServiceSettings.collector(config);
            return config;
        }
    }

    enum Form {
        TEXT,
        MARKDOWN
    }

    @Command(
            name = "check",
            description =
                    "Validate the file and the certificates and keys that it names, and warn about likely mistakes."
                            + " Without a file that of the package, if it is there. Exit code 2 if the file is invalid, 1 if a"
                            + " certificate or key cannot be used.")
    int check(
            @Mixin Options options,
            @Option(
                            names = "--no-files",
                            description = "Do not read the certificates and keys that it names, as on another host.")
                    boolean noFiles,
            @Option(
                            names = "--connect",
                            description =
                                    "Also try to reach the destination of each output, for at most 5 s. Nothing is sent"
                                            + " that a destination would store. Exit code 1 if one cannot be reached.")
                    boolean connect)
            throws InterruptedException {
        if (options.file() == null && Files.exists(DataSearch.PACKAGE_CONFIG)) {
            options.source.argument = DataSearch.PACKAGE_CONFIG;
        }
        Config config = options.load();
        config.outputs().forEach(OutputOptions::checkHasPassed);
        if (options.file() == null) {
            System.err.println("warning: no file is named, so the defaults are checked: millrace config check FILE");
        }
        ServiceSettings.warnings(config).forEach(it -> System.err.println("warning: " + it));
        FileProblems files = noFiles ? new FileProblems() : FileProblems.of(config);
        files.warnings().forEach(it -> System.err.println("warning: " + it));
        files.errors().forEach(System.err::println);
        boolean reached = !connect || connect(config, options.file());
        if (!files.errors().isEmpty() || !reached) {
            return 1;
        }
        print(String.format(
                "%s: right: %s, %s%n",
                options.file() == null ? "defaults" : options.file(),
                count(config.inputs().size() + config.streams().size(), "input"),
                count(config.outputs().size(), "output")));
        return 0;
    }

    /** Prints what each destination answered; true if all did. */
    private static boolean connect(Config config, @Nullable Path file) throws InterruptedException {
        List<ConnectCheck.Result> results = ConnectCheck.run(config);
        print(AlertsCommand.lines(results));
        if (config.alerts().hasTargets()) {
            print("skipped alerts: people would be told; this sends them a test: millrace alerts test " + file + "\n");
        }
        return results.stream().allMatch(ConnectCheck.Result::isReached);
    }

    @Command(
            name = "show",
            description = "Print the settings in effect, as YAML; defaults are marked, secrets are hidden.")
    int show(@Mixin Options options) {
        print(ConfigText.of(options.load()));
        return 0;
    }

    @Command(
            name = "init",
            description =
                    "Write a file to start from, with comments. It listens on UDP and TCP, and writes files per host.")
    int init(
            @Parameters(
                            paramLabel = "FILE",
                            arity = "0..1",
                            description = "The file, which must not exist (default: ${DEFAULT-VALUE}).",
                            defaultValue = "millrace.yaml")
                    Path file,
            @Mixin HelpMixin help)
            throws IOException {
        try (InputStream starter = Objects.requireNonNull(ConfigCommand.class.getResourceAsStream("starter.yaml"))) {
            Files.copy(starter, file);
        } catch (FileAlreadyExistsException e) {
            throw new IOException(file + " exists already: name another file, or remove it", e);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "cannot create " + file + ": there is no directory "
                            + file.toAbsolutePath().getParent(),
                    e);
        }
        System.err.printf("millrace: wrote %s; run it with: millrace run --config %s%n", file, file);
        return 0;
    }

    @Command(name = "reference", description = "Print every setting: what it accepts, its default, what it means.")
    int reference(
            @Option(names = "--format", paramLabel = "FORM", description = "text or markdown (default: text).")
                    @Nullable
                    Form form,
            @Mixin HelpMixin help) {
        print(
                form == Form.MARKDOWN
                        ? ConfigReference.markdown(OutputTypes.ALL)
                        : ConfigReference.text(OutputTypes.ALL));
        return 0;
    }

    @Command(
            name = "template",
            description =
                    "Print what a server needs before it accepts messages: an index template of Elasticsearch or OpenSearch, or a"
                            + " table of ClickHouse.")
    int template(
            @Parameters(paramLabel = "SERVER", description = "elasticsearch, opensearch or clickhouse.") Server server,
            @Mixin HelpMixin help)
            throws IOException {
        try (InputStream template = HttpOutputSettings.class.getResourceAsStream(server.file)) {
            print(new String(Objects.requireNonNull(template).readAllBytes(), StandardCharsets.UTF_8));
        }
        return 0;
    }

    /** A server, and what it needs. */
    enum Server {
        ELASTICSEARCH("elasticsearch.json"),
        OPENSEARCH("opensearch.json"),
        CLICKHOUSE("clickhouse.sql");

        private final String file;

        Server(String file) {
            this.file = file;
        }
    }

    static final class HelpMixin extends HelpOption {}

    private static String count(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    /** UTF-8 in any locale, because YAML is UTF-8. */
    private static void print(String text) {
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.print(text);
        out.flush();
    }
}
