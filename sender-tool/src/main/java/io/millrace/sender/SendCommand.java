package io.millrace.sender;

import java.io.IOException;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code millrace send}: from arguments to a plan, its run, and the report of it. */
@Command(
        name = "millrace send",
        mixinStandardHelpOptions = true,
        versionProvider = SendCommand.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeOnExecutionException = SendCommand.EXIT_NOT_AS_ASKED,
        description = {
            "Sends numbered UDP datagrams at a steady rate and counts exactly what it sent.",
            "",
            "The load is open-loop: each datagram has its time, a late one is sent at once, and"
                    + " the schedule is never shifted. Each payload opens with the run, source and"
                    + " sequence number and the intended send time.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace send --to 127.0.0.1:5514 --rate 100k --duration 10s",
            "  millrace send --to [::1]:5514 --rate max --count 1M --size 1000 --sources 16",
            "  millrace send --to collector:5514 --rate 0.5 --duration 1h --json > run.json",
            "",
            "Exit codes: 0 everything was sent as asked; 1 the rate was missed, or a datagram could not be sent;"
                    + " 2 the arguments are wrong."
        })
final class SendCommand implements Callable<Integer> {
    static final int EXIT_OK = 0;
    static final int EXIT_NOT_AS_ASKED = 1;

    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "HOST:PORT",
            converter = OptionValues.TargetConverter.class,
            description = "Where to send; an IPv6 address stands in brackets.")
    private OptionValues.@Nullable Target to;

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = OptionValues.RateConverter.class,
            description = "Datagrams a second over all sources, such as 500, 0.5, 100k or 1.2M; or max, for"
                    + " as fast as one thread can. Default: 1k.")
    private Rate rate = new Rate(1000, 1);

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            converter = OptionValues.SizeConverter.class,
            description = "The length of each payload, from 32 to 65507. Default: 125.")
    private int size = 125;

    @Option(
            names = "--sources",
            paramLabel = "N",
            converter = OptionValues.SourcesConverter.class,
            description = "How many sources, each a local port of its own, take turns; at most 10000. Default: 1.")
    private int sources = 1;

    @Option(
            names = "--run",
            paramLabel = "ID",
            converter = OptionValues.RunIdConverter.class,
            description = "The run id in each payload, 1 to 8 hexadecimal digits. Default: a random one.")
    private @Nullable Integer runId;

    @Option(names = "--json", description = "Also print the result as a JSON object on standard output.")
    private boolean json;

    @Option(
            names = "--tolerate",
            paramLabel = "PCT",
            converter = OptionValues.PercentConverter.class,
            description = "By how many percent the rate may be missed before the exit code is 1; a run that ends"
                    + " less than 10 ms late has not missed it. Default: 1.")
    private double toleratedPercent = 1;

    /** How much to send; picocli lets one of the two be given. */
    static final class Extent {
        @Option(
                names = "--duration",
                paramLabel = "TIME",
                converter = OptionValues.DurationConverter.class,
                description = "Send what is due in this time, such as 500ms, 10s, 2m or 1h. Default: 10s.")
        private @Nullable Duration duration;

        @Option(
                names = "--count",
                paramLabel = "N",
                converter = OptionValues.CountConverter.class,
                description = "Send so many datagrams, such as 5000, 100k or 1.5M, however long it takes.")
        private @Nullable Long count;
    }

    /** Takes the version from the jar's manifest. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = SendCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "millrace send " + (version == null ? "(version unknown: not run from its jar)" : version)
            };
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new SendCommand())
                .setParameterExceptionHandler(SendCommand::explain)
                .setExecutionExceptionHandler(SendCommand::explainFailure);
    }

    @Override
    public Integer call() throws IOException {
        CommandLine commandLine = commandLine(spec);
        PrintWriter err = commandLine.getErr();
        OptionValues.Target target = given(to);
        SendPlan plan = plan(commandLine);
        try (Transmitter transmitter = ChannelTransmitter.open(target.address(), plan.sources())) {
            Sender sender = new Sender(plan, transmitter, WaitClock.SYSTEM);
            SignalStop signalStop = SignalStop.install(sender::stop);
            try {
                SendResult result = run(sender, err);
                return report(new Report(target.text(), plan, result), commandLine);
            } finally {
                signalStop.close();
            }
        }
    }

    private static SendResult run(Sender sender, PrintWriter err) {
        Progress progress = Progress.start(err, sender::sent, Progress.onTerminal());
        try {
            return sender.run();
        } finally {
            progress.close();
        }
    }

    private int report(Report report, CommandLine commandLine) {
        PrintWriter err = commandLine.getErr();
        report.writeSummary(err);
        if (json) {
            report.writeJson(commandLine.getOut());
        }
        String complaint = report.result().complaint(rate, toleratedPercent);
        if (complaint == null) {
            return EXIT_OK;
        }
        err.println("millrace send: " + complaint);
        err.flush();
        return EXIT_NOT_AS_ASKED;
    }

    private SendPlan plan(CommandLine commandLine) {
        int run = runId == null ? new SecureRandom().nextInt() : runId;
        try {
            if (extent.count != null) {
                return SendPlan.ofCount(rate, extent.count, size, sources, run);
            }
            Duration duration = extent.duration == null ? DEFAULT_DURATION : extent.duration;
            return SendPlan.ofDuration(rate, duration, size, sources, run);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, String.valueOf(e.getMessage()), e);
        }
    }

    private static CommandLine commandLine(@Nullable CommandSpec spec) {
        return given(spec).commandLine();
    }

    /** Picocli has set these fields before it calls. */
    private static <T> T given(@Nullable T field) {
        if (field == null) {
            throw new IllegalStateException("the command was not run by picocli");
        }
        return field;
    }

    private static int explain(ParameterException e, String[] args) {
        CommandLine commandLine = e.getCommandLine();
        PrintWriter err = commandLine.getErr();
        err.println("millrace send: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("see millrace send --help");
        err.flush();
        return commandLine.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int explainFailure(Exception e, CommandLine commandLine, CommandLine.ParseResult parsed)
            throws Exception {
        if (!(e instanceof IOException)) {
            throw e; // a fault of ours, which picocli prints with its stack trace
        }
        commandLine.getErr().println("millrace send: " + e.getMessage());
        commandLine.getErr().flush();
        return commandLine.getCommandSpec().exitCodeOnExecutionException();
    }
}
