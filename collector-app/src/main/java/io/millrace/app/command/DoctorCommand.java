package io.millrace.app.command;

import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.OutputTypes;
import io.millrace.app.config.Overrides;
import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.control.DataSearch;
import io.millrace.app.control.NoAnswerException;
import io.millrace.app.doctor.Doctor;
import io.millrace.app.doctor.DoctorScript;
import io.millrace.app.doctor.DoctorSettings;
import io.millrace.app.doctor.DoctorText;
import io.millrace.app.doctor.Finding;
import io.millrace.app.doctor.FindingSeverity;
import io.millrace.app.doctor.host.LocalHost;
import io.millrace.app.report.Json;
import io.millrace.app.service.ServiceSettings;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.setting.Section;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace doctor}: finds causes of datagram loss on this host. */
@Command(
        name = "doctor",
        description =
                "Find causes of datagram loss on this host and print the commands that fix them. Nothing is changed.",
        footer = {
            "",
            "Examples:",
            "  millrace doctor",
            "  millrace doctor --config /etc/millrace/millrace.yaml --rate 200k",
            "  millrace doctor --json --no-disk-test",
            "  millrace doctor --script >fix.sh; less fix.sh; sudo sh fix.sh",
            "",
            "Run it as root to see who has the ports. Exit code 1 if something loses datagrams, or did.",
            "docs/operate/doctor.md explains every finding.",
        })
public final class DoctorCommand extends HelpOption implements Callable<Integer> {
    private static final Section DATA = Section.of("", "", CollectorSettings.DATA);
    private static final String SERVICE = "the running service";

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration the service runs with (default: that of the running service; else"
                    + " /etc/millrace/millrace.yaml; else all is as by default).")
    private @Nullable Path file;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "The data directory; wins over the file's (default: as of 'millrace status').")
    private @Nullable String data;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = OptionTypes.Rate.class,
            description =
                    "The rate in datagrams per second, such as 50k (default: 100k is assumed, and findings that depend on"
                            + " it are at most a risk).")
    private @Nullable Long rate;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--script", description = "Print a shell script that fixes what commands can fix.")
    private boolean script;

    @Option(
            names = "--no-disk-test",
            description = "Do not write 64 MiB to the data directory, or to the nearest one above it, to time it.")
    private boolean noDiskTest;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private DoctorSettings settings(Overrides overrides) {
        ConfigLoader loader = new ConfigLoader(OutputTypes.ALL, System.getenv());
        Path directory = data != null ? Path.of(data) : file != null ? new DataSearch().of(file) : directory();
        String running = running(directory);
        if (file != null) {
            return settings(loader.load(file, overrides));
        }
        if (running != null) {
            try {
                // The service's own path may be relative to another directory.
                overrides.set("--data", DATA, CollectorSettings.DATA, directory.toString());
                DoctorSettings settings = settings(loader.load(SERVICE, running, overrides));
                System.err.println("millrace: examined with the settings of " + SERVICE + " on " + directory);
                return settings;
            } catch (IllegalArgumentException e) {
                System.err.println("millrace: the settings of " + SERVICE
                        + " cannot be used here, so the defaults are examined; name its file with --config: "
                        + e.getMessage());
            }
        }
        return settings(loader.load(ofPackage(directory), overrides));
    }

    /** Before the first start there is none. */
    private static Path directory() {
        try {
            return new DataSearch().find().path();
        } catch (IOException e) {
            return DataSearch.DEFAULT;
        }
    }

    private static boolean wasKilled(Path directory) {
        try {
            return CounterFile.openReadOnly(JournalPaths.countersFile(directory))
                            .unstoppedSince()
                    != null;
        } catch (IOException e) {
            return false;
        }
    }

    /** The configuration of the package, if it is that of the data directory. */
    private static @Nullable Path ofPackage(Path directory) {
        Path config = DataSearch.PACKAGE_CONFIG;
        if (!Files.isReadable(config) || !directory.equals(new DataSearch().of(config))) {
            return null;
        }
        System.err.println("millrace: examined with the settings of " + config);
        return config;
    }

    private DoctorSettings settings(Config config) {
        return DoctorSettings.before(
                ServiceSettings.collector(config).settings(), config.outputs().size(), rate, !noDiskTest);
    }

    /** The settings of the service that uses a data directory; null if there is none, or it does not tell. */
    private static @Nullable String running(Path directory) {
        try {
            Answer answer = ControlClient.ask(directory, ControlClient.CONFIG);
            return answer.code() == 0 ? answer.text() : null;
        } catch (NoAnswerException e) {
            if (e.pid() != null) {
                System.err.println("millrace: " + e.getMessage());
            } else if (wasKilled(directory)) {
                System.err.println("millrace: no service runs on the data directory " + directory
                        + ": the last one was killed, or the host failed");
            }
            return null;
        } catch (IOException e) {
            if (Files.exists(directory)) {
                System.err.println("millrace: the service cannot be asked: " + e.getMessage());
            }
            return null;
        }
    }

    @Override
    public Integer call() {
        if (json && script) {
            throw new ParameterException(spec.commandLine(), "--json and --script are two outputs: choose one");
        }
        Overrides overrides = new Overrides();
        if (data != null) {
            if (Files.notExists(Path.of(data))) {
                System.err.println("millrace: there is no directory " + data
                        + ": no service runs there. The nearest directory above it is examined");
            }
            overrides.set("--data", DATA, CollectorSettings.DATA, data);
        }
        DoctorSettings settings = settings(overrides);
        List<Finding> findings = Doctor.examine(new LocalHost(), settings);
        String text = json
                ? Json.doctor(findings, settings) + "\n"
                : script ? DoctorScript.of(findings) : DoctorText.of(findings, settings);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        out.print(text);
        out.flush();
        return Doctor.count(findings, FindingSeverity.LOSES) == 0 ? 0 : 1;
    }
}
