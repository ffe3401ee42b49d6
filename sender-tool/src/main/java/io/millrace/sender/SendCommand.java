package io.millrace.sender;

import java.io.IOException;
import java.io.PrintWriter;
import java.net.Inet4Address;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
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
                    + " the schedule is never shifted. Each payload holds the run, source and"
                    + " sequence number and the intended send time.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace send --to 127.0.0.1:5514 --rate 100k --duration 10s",
            "  millrace send --to [::1]:5514 --rate max --count 1M --size 1000 --sources 16",
            "  millrace send --to collector:5514 --rate 0.5 --duration 1h --json > run.json",
            "  millrace send --to 127.0.0.1:5514 --rate 20k --pattern rfc3164 --size 100-900 --seed 7",
            "  millrace send --to 127.0.0.1:5514 --rate 100k:10s,200k:10s,10k..500k:60s",
            "  millrace send --to 127.0.0.1:5514 --pcap capture.pcap --speed 2",
            "  millrace send --to 127.0.0.1:5514 --file messages.txt --rate 5k --duration 1m",
            "  millrace send --to 127.0.0.1:5514 --rate 1M --gso 16 --sources 16",
            "",
            "Exit codes: 0 everything was sent as asked; 1 the rate was missed, a datagram could not be sent (one that"
                    + " was refused was sent), or a file could not be read; 2 the arguments are wrong."
        })
final class SendCommand implements Callable<Integer> {
    static final int EXIT_OK = 0;
    static final int EXIT_NOT_AS_ASKED = 1;

    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);

    private static final Rate DEFAULT_RATE = new Rate(1000, 1);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private SendOptions.How how = new SendOptions.How();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            converter = OptionValues.ScheduleConverter.class,
            description = "Datagrams a second over all sources, such as 500, 0.5, 100k or 1.2M; or max, for"
                    + " as fast as it goes; or steps and ramps, each with its time, such as 100k:10s,10k..1M:60s,"
                    + " which say themselves how long the run is. Default: 1k, or a capture's own times.")
    private @Nullable Schedule rate;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @Mixin
    private SendOptions.What what = new SendOptions.What();

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
        int run = what.runId == null ? new SecureRandom().nextInt() : what.runId;
        Endpoints endpoints = new Endpoints(
                how.targets.stream().map(OptionValues.Target::address).toList(), how.sources(), how.net);
        Means means;
        SendPlan plan;
        Content content;
        Payloads payloads;
        try {
            checkNet();
            means = Means.choose(endpoints, how.io.io(), HelperTransmitter.program());
            content = Content.of(what, run);
            plan = plan(content, means, run);
            payloads = content.payloads().get();
            checkTrains(content, means.io(), payloads.most());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, String.valueOf(e.getMessage()), e);
        }
        note(content.note(), commandLine);
        note(means.note(), commandLine);
        try (Transmitter transmitter = means.open(endpoints, how.gso > 1 ? payloads.most() : 0)) {
            if (SendRun.needsWarmUp(plan)) {
                try (Transmitter idling = means.openIdling(how.sources())) {
                    SendRun.warmUp(plan, payloads, idling, WaitClock.SYSTEM);
                }
            }
            SendRun sending = new SendRun(plan, content.payloads(), transmitter, WaitClock.SYSTEM);
            SignalStop signalStop = SignalStop.install(sending::stop);
            try {
                return report(plan, run(sending, plan, commandLine.getErr()), content, means, commandLine);
            } finally {
                signalStop.close();
            }
        }
    }

    private void checkNet() {
        for (OptionValues.Target target : how.targets) {
            if (how.net != null && !(target.address().getAddress() instanceof Inet4Address)) {
                throw new IllegalArgumentException(
                        "--source-net gives sources IPv4 addresses, which cannot send to " + target.text());
            }
        }
    }

    private static void note(String note, CommandLine commandLine) {
        if (!note.isEmpty()) {
            commandLine.getErr().println(note);
            commandLine.getErr().flush();
        }
    }

    private static SendResult run(SendRun sending, SendPlan plan, PrintWriter err) throws IOException {
        Progress progress = Progress.start(err, sending::sent, plan, Progress.onTerminal());
        try {
            return sending.run();
        } finally {
            progress.close();
        }
    }

    private int report(SendPlan plan, SendResult result, Content content, Means means, CommandLine commandLine) {
        PrintWriter err = commandLine.getErr();
        String targets = String.join(
                ", ", how.targets.stream().map(OptionValues.Target::text).toList());
        Report report = new Report(
                new Report.Asked(
                        targets,
                        content.name(),
                        content.sizes(),
                        means.text(),
                        means.by().text()),
                plan,
                result);
        report.writeSummary(err);
        if (json) {
            report.writeJson(commandLine.getOut());
        }
        String complaint = result.complaint(toleratedPercent);
        if (complaint == null) {
            return EXIT_OK;
        }
        err.println("millrace send: " + complaint);
        err.flush();
        return EXIT_NOT_AS_ASKED;
    }

    private SendPlan plan(Content content, Means means, int run) {
        int sources = how.sources();
        if (sources > Layout.MAX_OPEN && (how.threads > 1 || how.gso > 1)) {
            throw new IllegalArgumentException(Text.format(
                    "more than %,d sources are not all open sockets, and have one thread and no GSO batches:"
                            + " leave out --threads and --gso, or take fewer --sources",
                    Layout.MAX_OPEN));
        }
        Layout layout = new Layout(sources, how.threads, how.gso, how.burst, means.group(sources));
        if (what.speed != null && rate != null) {
            throw new IllegalArgumentException("--speed is for a capture's recorded times, and --rate gives others");
        }
        if (rate instanceof StepSchedule steps) {
            if (extent.count != null || extent.duration != null) {
                throw new IllegalArgumentException(
                        "the steps of --rate say how long the run is: --count and --duration do not go with them");
            }
            return SendPlan.ofSteps(steps, layout, run);
        }
        Schedule schedule = rate != null ? rate : content.recorded() != null ? content.recorded() : DEFAULT_RATE;
        if (extent.count != null || (content.once() > 0 && extent.duration == null)) {
            return SendPlan.ofCount(schedule, extent.count == null ? content.once() : extent.count, layout, run);
        }
        if (means.by() == Means.By.TURNS && schedule.isMax()) {
            throw new IllegalArgumentException(
                    "sources that take turns share a known number of datagrams: give a --count with --rate max");
        }
        return SendPlan.ofDuration(schedule, extent.duration == null ? DEFAULT_DURATION : extent.duration, layout, run);
    }

    private void checkTrains(Content content, Io io, int size) {
        if (how.gso == 1) {
            return;
        }
        Sizes sizes = content.sizes();
        if (sizes == null || !sizes.isFixed()) {
            throw new IllegalArgumentException(
                    "a GSO batch is cut into datagrams of one size: --gso needs a --size that is"
                            + " one number, such as --size 125");
        }
        if ((long) how.gso * size > SendPlan.MAX_SIZE) {
            throw new IllegalArgumentException(Text.format(
                    "a GSO batch has at most %d bytes: with --size %d, --gso takes at most %d, not %d",
                    SendPlan.MAX_SIZE, size, SendPlan.MAX_SIZE / size, how.gso));
        }
        if (io != Io.EPOLL) {
            throw new IllegalArgumentException("--gso needs --io epoll, and this run has --io " + io.text());
        }
    }

    private static CommandLine commandLine(@Nullable CommandSpec spec) {
        if (spec == null) {
            throw new IllegalStateException("the command was not run by picocli");
        }
        return spec.commandLine();
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
