package io.millrace.sender.command;

import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.Payloads;
import io.millrace.sender.run.SendResult;
import io.millrace.sender.run.SendRun;
import io.millrace.sender.run.WaitClock;
import io.millrace.sender.schedule.Rate;
import io.millrace.sender.schedule.RecordedSources;
import io.millrace.sender.schedule.Schedule;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.schedule.SourceLayout;
import io.millrace.sender.schedule.StepSchedule;
import io.millrace.sender.transmit.Endpoints;
import io.millrace.sender.transmit.HelperTransmitter;
import io.millrace.sender.transmit.SocketApi;
import io.millrace.sender.transmit.SourceNetwork;
import io.millrace.sender.transmit.Transmitter;
import io.millrace.sender.transmit.TransmitterFactory;
import io.millrace.sender.value.Quantity;
import io.millrace.sender.value.Text;
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
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code millrace send}: plans, runs and reports a run. */
@Command(
        name = "millrace send",
        mixinStandardHelpOptions = true,
        versionProvider = SendCommand.Version.class,
        sortOptions = false,
        usageHelpAutoWidth = true,
        exitCodeOnExecutionException = SendCommand.EXIT_FAILED,
        description = {
            "Send numbered UDP datagrams, or messages on connections, at a given rate and count exactly what was sent.",
            "",
            "The load is open-loop: each datagram has a due time, a late one is sent at once, and"
                    + " the schedule is never shifted. Each payload contains run id, source, sequence"
                    + " number and intended send time.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  millrace send --to 127.0.0.1:5514 --rate 100k --duration 10s",
            "  millrace send --to [::1]:5514 --rate max --count 1M --size 1000 --sources 16",
            "  millrace send --to collector:5514 --rate 0.5 --duration 1h --json > run.json",
            "  millrace send --to tcp://127.0.0.1:5514 --rate 50k --sources 10",
            "  millrace send --to tcp://127.0.0.1:5514 --rate max --batch 64",
            "  millrace send --to 127.0.0.1:5514 --rate 20k --pattern rfc3164 --size 100-900 --seed 7",
            "  millrace send --to 127.0.0.1:5514 --rate 100k:10s,200k:10s,10k..500k:60s",
            "  millrace send --to 127.0.0.1:5514 --pcap capture.pcap --speed 2",
            "  millrace send --to test.example.com:5514 --replay /var/lib/millrace --speed 10",
            "  millrace send --to 127.0.0.1:5514 --file messages.txt --rate 5k --duration 1m",
            "  millrace send --to 127.0.0.1:5514 --rate 1M --gso 16 --sources 16",
            "",
            "Exit codes: 0 success; 1 the rate was missed, a datagram could not be sent (a refused one was sent), or a"
                    + " file could not be read; 2 invalid arguments."
        })
public final class SendCommand implements Callable<Integer> {
    static final int EXIT_OK = 0;
    static final int EXIT_FAILED = 1;

    private static final int MAX_THREADS = 64;
    private static final int MAX_BURST = 1_000_000;
    private static final double MIN_SPEED = 0.001;
    private static final double MAX_SPEED = 1000;
    private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);

    private static final Rate DEFAULT_RATE = new Rate(1000, 1);

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private SendOptions.Transport transport = new SendOptions.Transport();

    @Option(
            names = "--rate",
            paramLabel = "RATE",
            description = "Datagrams per second of all sources together, such as 500, 0.5, 100k or 1.2M; or max, for no"
                    + " limit; or steps and ramps with their durations, such as 100k:10s,10k..1M:60s, which also set"
                    + " the length of the run. Default: 1k, or the recorded times of a capture or a journal.")
    private @Nullable Schedule rate;

    @ArgGroup(multiplicity = "0..1")
    private Extent extent = new Extent();

    @Mixin
    private SendOptions.Payload payload = new SendOptions.Payload();

    @Option(names = "--json", description = "Also print the result as a JSON object on standard output.")
    private boolean json;

    @Option(
            names = "--tolerate",
            paramLabel = "PCT",
            description = "By how many percent the rate may be missed before the exit code is 1; a run that ends"
                    + " less than 10 ms late has not missed it. Default: 1.")
    private double toleratedPercent = 1;

    /** How much to send: picocli accepts one of the two. */
    static final class Extent {
        @Option(
                names = "--duration",
                paramLabel = "TIME",
                description =
                        "Send the datagrams that are due in this time, such as 500ms, 10s, 2m or 1h. Default: 10s.")
        private @Nullable Duration duration;

        @Option(
                names = "--count",
                paramLabel = "N",
                converter = SendOptions.CountConverter.class,
                description = "Send N datagrams, such as 5000, 100k or 1.5M, however long it accepts.")
        private @Nullable Long count;
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = SendCommand.class.getPackage().getImplementationVersion();
            return new String[] {
                "millrace send " + (version == null ? "(version unknown: not run from its jar)" : version)
            };
        }
    }

    /** The command with its converters and error messages. */
    public static CommandLine commandLine() {
        return new CommandLine(new SendCommand())
                .registerConverter(Target.class, Target::parse)
                .registerConverter(Schedule.class, SendCommand::schedule)
                .registerConverter(Duration.class, Quantity::duration)
                .registerConverter(PayloadSizes.class, PayloadSizes::parse)
                .registerConverter(SourceNetwork.class, SourceNetwork::parse)
                .registerConverter(SendOptions.StreamFraming.class, SendCommand::framing)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(SendCommand::explain)
                .setExecutionExceptionHandler(SendCommand::explainFailure);
    }

    private static SendOptions.StreamFraming framing(String text) {
        for (SendOptions.StreamFraming framing : SendOptions.StreamFraming.values()) {
            if (framing.toString().equalsIgnoreCase(text)) {
                return framing;
            }
        }
        throw Quantity.invalid(text, "accepts newline or octet-counting");
    }

    private static Schedule schedule(String text) {
        return text.indexOf(':') < 0 ? Rate.parse(text) : StepSchedule.parse(text);
    }

    @Override
    public Integer call() throws IOException {
        CommandLine commandLine = commandLine(spec);
        int run = payload.runId == null ? new SecureRandom().nextInt() : payload.runId;
        Endpoints endpoints;
        TransmitterFactory factory;
        SendPlan plan;
        PayloadSource source;
        Payloads payloads;
        try {
            checkRanges();
            checkNetwork();
            source = PayloadSource.of(payload, run);
            endpoints = endpoints(source);
            factory = factory(endpoints);
            plan = plan(source, factory, endpoints.sources(), run);
            payloads = source.payloads().get();
            checkBatch(source, factory, payloads.maxBytes());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(commandLine, String.valueOf(e.getMessage()), e);
        }
        note(source.note(), commandLine);
        note(factory.note(), commandLine);
        try (Transmitter transmitter = factory.open(endpoints, transport.batch > 1 ? payloads.maxBytes() : 0)) {
            if (SendRun.needsWarmUp(plan)) {
                try (Transmitter warmUp = factory.openForWarmUp(endpoints.sources())) {
                    SendRun.warmUp(plan, payloads, warmUp, WaitClock.SYSTEM);
                }
            }
            SendRun sending = new SendRun(plan, source.payloads(), transmitter, WaitClock.SYSTEM);
            ShutdownHook hook = ShutdownHook.install(sending::stop);
            try {
                return report(plan, run(sending, plan, commandLine.getErr()), source, factory, commandLine);
            } finally {
                hook.close();
            }
        }
    }

    private TransmitterFactory factory(Endpoints endpoints) {
        Target.Kind kind = transport.targets.get(0).kind();
        if (transport.targets.stream().anyMatch(target -> target.kind() != kind)) {
            throw new IllegalArgumentException(
                    "--to accepts targets of one kind: UDP, connections (tcp://, unix://), or Unix datagrams (unixgram://)");
        }
        if (kind != Target.Kind.STREAM && transport.framing != null) {
            throw new IllegalArgumentException("--framing is for connections: tcp:// and unix://");
        }
        if (kind == Target.Kind.UDP) {
            return TransmitterFactory.choose(endpoints, transport.api, HelperTransmitter.program());
        }
        if (kind == Target.Kind.UNIX_DATAGRAM && transport.batch > 1) {
            throw new IllegalArgumentException(
                    "--batch cannot be used with unixgram://, which accepts one datagram per system call");
        }
        TransmitterFactory.Streams streams = new TransmitterFactory.Streams(
                transport.targets.stream().map(Target::destination).toList(), messages(kind));
        return TransmitterFactory.ofStreams(endpoints, transport.api, streams);
    }

    private TransmitterFactory.Messages messages(Target.Kind kind) {
        if (kind == Target.Kind.UNIX_DATAGRAM) {
            return TransmitterFactory.Messages.DATAGRAMS;
        }
        return transport.framing == SendOptions.StreamFraming.OCTET_COUNTING
                ? TransmitterFactory.Messages.COUNTED
                : TransmitterFactory.Messages.LINES;
    }

    private void checkRanges() {
        checkRange("--threads", transport.threads, 1, MAX_THREADS);
        checkRange("--burst", transport.burst, 1, MAX_BURST);
        checkRange("--batch", transport.batch, 1, SourceLayout.MAX_SEGMENTS);
        if (transport.batch > 1 && (payload.file != null || payload.pcap != null || payload.replay != null)) {
            throw new IllegalArgumentException(
                    "--batch cannot be used with --file, --pcap and --replay, whose messages have"
                            + " lengths of their own");
        }
        checkRange("--tolerate", toleratedPercent, 0, 100);
        checkRange("--speed", payload.speed == null ? 1 : payload.speed, MIN_SPEED, MAX_SPEED);
    }

    private static void checkRange(String option, double value, double min, double max) {
        if (!(value >= min && value <= max)) {
            throw new IllegalArgumentException(Text.format(
                    "%s accepts a number from %s to %s, not %s",
                    option, Text.plain(min), Text.plain(max), Double.isFinite(value) ? Text.plain(value) : value));
        }
    }

    private void checkNetwork() {
        for (Target target : transport.targets) {
            if (transport.network != null && !target.isIpv4()) {
                throw new IllegalArgumentException(
                        "--source-net has IPv4 addresses, which cannot send to " + target.text());
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
        ProgressLine progress = ProgressLine.start(err, sending::sent, plan, ProgressLine.onTerminal());
        try {
            return sending.run();
        } finally {
            progress.close();
        }
    }

    private int report(
            SendPlan plan,
            SendResult result,
            PayloadSource source,
            TransmitterFactory factory,
            CommandLine commandLine) {
        PrintWriter err = commandLine.getErr();
        String targets =
                String.join(", ", transport.targets.stream().map(Target::text).toList());
        SendReport report = new SendReport(
                new SendReport.Settings(
                        targets,
                        source.name(),
                        source.sizes(),
                        factory.apiName(),
                        factory.mode().toString()),
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
        return EXIT_FAILED;
    }

    private Endpoints endpoints(PayloadSource source) {
        RecordedSources recorded = recorded(source);
        return new Endpoints(
                transport.targets.stream()
                        .filter(target -> target.kind() == Target.Kind.UDP)
                        .map(Target::address)
                        .toList(),
                recorded == null ? transport.sources() : recorded.count(),
                recorded == null || recorded.count() == 1 ? transport.network : recordedNetwork());
    }

    /** The sources that were recorded, unless the user wants others, or several threads, which share them. */
    private @Nullable RecordedSources recorded(PayloadSource source) {
        return transport.sources == null && transport.threads == 1 ? source.sources() : null;
    }

    /** On this host each source has an address of its own, as a collector tells sources apart by them. */
    private @Nullable SourceNetwork recordedNetwork() {
        boolean isLocal = transport.targets.stream().allMatch(Target::isIpv4Loopback);
        return transport.network == null && isLocal ? SourceNetwork.LOOPBACK : transport.network;
    }

    private SendPlan plan(PayloadSource source, TransmitterFactory factory, int sources, int run) {
        RecordedSources recorded = recorded(source);
        SendPlan plan = planOfLayout(source, factory, sources, run);
        return recorded == null ? plan : plan.from(recorded);
    }

    private SendPlan planOfLayout(PayloadSource source, TransmitterFactory factory, int sources, int run) {
        if (sources > SourceLayout.MAX_OPEN && (transport.threads > 1 || transport.batch > 1)) {
            throw new IllegalArgumentException(Text.format(
                    "more than %,d sources have one thread and no batches:"
                            + " omit --threads and --batch, or use fewer --sources",
                    SourceLayout.MAX_OPEN));
        }
        SourceLayout layout =
                new SourceLayout(sources, transport.threads, transport.batch, transport.burst, factory.group(sources));
        if (payload.speed != null && rate != null) {
            throw new IllegalArgumentException("--speed applies to recorded times, and --rate replaces them");
        }
        if (rate instanceof StepSchedule steps) {
            if (extent.count != null || extent.duration != null) {
                throw new IllegalArgumentException(
                        "the steps of --rate set the length of the run: --count and --duration cannot be used with them");
            }
            return SendPlan.ofSteps(steps, layout, run);
        }
        Schedule schedule = rate != null ? rate : source.recorded() != null ? source.recorded() : DEFAULT_RATE;
        if (extent.count != null || (source.defaultCount() > 0 && extent.duration == null)) {
            return SendPlan.ofCount(schedule, extent.count == null ? source.defaultCount() : extent.count, layout, run);
        }
        if (factory.mode() == TransmitterFactory.Mode.GROUPS && schedule.isMax()) {
            throw new IllegalArgumentException(
                    "sources in groups share a fixed number of datagrams: add --count to --rate max");
        }
        return SendPlan.ofDuration(schedule, extent.duration == null ? DEFAULT_DURATION : extent.duration, layout, run);
    }

    private void checkBatch(PayloadSource source, TransmitterFactory factory, int size) {
        if (transport.batch == 1) {
            return;
        }
        PayloadSizes sizes = source.sizes();
        if (sizes == null || !sizes.isFixed()) {
            throw new IllegalArgumentException(
                    "the messages of a batch have the same size: --batch needs a --size that is one number, such as --size 125");
        }
        if ((long) transport.batch * size > SendPlan.MAX_PAYLOAD_BYTES) {
            int max = SendPlan.MAX_PAYLOAD_BYTES / size;
            throw new IllegalArgumentException(Text.format(
                    "a batch has up to %d bytes: with --size %d %s",
                    SendPlan.MAX_PAYLOAD_BYTES,
                    size,
                    max == 1
                            ? "omit --batch"
                            : Text.format("the maximum of --batch is %d, not %d", max, transport.batch)));
        }
        if (factory.streams() == null && factory.api() != SocketApi.EPOLL) {
            throw new IllegalArgumentException(
                    "--batch with UDP needs --io epoll, and this run has --io " + factory.api());
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
            throw e; // a bug, which picocli prints with its stack trace
        }
        commandLine.getErr().println("millrace send: " + e.getMessage());
        commandLine.getErr().flush();
        return commandLine.getCommandSpec().exitCodeOnExecutionException();
    }
}
