package io.millrace.app;

import io.millrace.app.admin.AdminServer;
import io.millrace.app.config.ByteSize;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigLoader;
import io.millrace.app.config.Overrides;
import io.millrace.app.report.LedgerText;
import io.millrace.app.sink.SinkTypes;
import io.millrace.collector.Collector;
import io.millrace.deliver.SinkStatus;
import io.millrace.format.InputRules;
import io.millrace.record.IpText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace run}: the service. */
@Command(
        name = "run",
        modelTransformer = RunFlags.class,
        description = "Receive on UDP and journal, until SIGTERM or SIGINT.",
        footer = {
            "",
            "Examples:",
            "  millrace run                                      UDP port 5514, journal in ./data",
            "  millrace run --listen 0.0.0.0:514 --listen [::1]:5514 --data /var/lib/millrace",
            "  millrace run --receivers 4 --receive-buffer 256M --admin off",
            "  millrace run --config /etc/millrace/millrace.yaml",
            "",
            "Try it: logger -d -n 127.0.0.1 -P 5514 hello; then millrace read",
        })
final class RunCommand extends HelpOption implements Callable<Integer> {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration file (docs/configuration.md). Options win over what it says.")
    private @Nullable Path file;

    @Option(
            names = RunFlags.LISTEN,
            paramLabel = "HOST:PORT",
            description = "Where to receive; may be given again, and replaces all inputs of the file."
                    + " (default: [::]:5514, IPv4 included)")
    private List<String> listen = new ArrayList<>();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli.
    private CommandSpec spec;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Overrides overrides = RunFlags.overrides(spec.commandLine().getParseResult(), listen);
        ConfigLoader loader = new ConfigLoader(SinkTypes.ALL, System.getenv());
        Config config = loader.load(file, overrides);
        Collector collector = RunSettings.collector(config);
        Reload reload = file == null ? null : new Reload(() -> loader.load(file, overrides), collector, config);
        // Before the start, so that a signal during it ends in an orderly stop too.
        Thread hook = new Thread(this::onSignal, "millrace-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            run(collector, config, reload);
            exitCode = 0;
        } catch (IOException e) {
            // Said here and not by the caller: once the hook goes on, nothing more is printed.
            Main.printFailure(e);
        } finally {
            stopped.countDown();
            removeHook(hook);
        }
        return exitCode;
    }

    private void run(Collector collector, Config config, @Nullable Reload reload)
            throws IOException, InterruptedException {
        collector.start();
        AdminServer server = null;
        if (reload != null) {
            HangupSignal.handle(reload::runUnasked);
        }
        try {
            if (config.admin() != null) {
                server = new AdminServer(
                        collector,
                        config.admin(),
                        VersionCommand.version(),
                        new InputRules(config.timeZone(), false),
                        config.inputRules(),
                        reload == null ? null : reload::run);
            }
            announce(collector, server);
            try (RateReport report = new RateReport(collector)) {
                report.start();
                stop.await();
            }
            System.err.println("millrace: stopping");
            if (server != null) {
                server.stopping();
            }
        } finally {
            try {
                collector.close();
            } finally {
                System.err.print(LedgerText.closing(collector.ledger()));
                collector.outputs().forEach(RunCommand::printOutput);
                if (server != null) {
                    server.close();
                }
            }
        }
    }

    /** The JVM stops for a signal: let the main thread finish, and exit with its code instead of the signal's. */
    private void onSignal() {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.err.flush();
        Runtime.getRuntime().halt(exitCode);
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyStopping) {
            // The hook runs, and waits for us.
        }
    }

    private static void announce(Collector collector, @Nullable AdminServer server) {
        int asked = collector.settings().receiveBufferBytes();
        int granted = collector.grantedReceiveBuffer();
        if (granted < asked) {
            System.err.printf(
                    "millrace: receive buffer: asked for %s, the kernel grants %s; bursts are lost sooner. Allow it with:"
                            + " sudo sysctl -w net.core.rmem_max=%d%n",
                    ByteSize.text(asked), ByteSize.text(granted), asked);
        }
        System.err.printf(
                "millrace: ready: udp %s, transport %s, %d %s (%s), data %s, receive buffer %s, outputs %s, admin %s (journal opened in %d ms)%n",
                collector.addresses().stream().map(IpText::of).collect(Collectors.joining(" ")),
                collector.transport(),
                collector.settings().receivers(),
                collector.settings().receivers() == 1 ? "receiver" : "receivers",
                collector.settings().threading().name().toLowerCase(Locale.ROOT),
                collector.settings().dataDirectory().toAbsolutePath().normalize(),
                ByteSize.text(granted),
                collector.outputs().isEmpty()
                        ? "none"
                        : collector.outputs().stream().map(SinkStatus::name).collect(Collectors.joining(" ")),
                server == null ? "off" : server.url(),
                TimeUnit.NANOSECONDS.toMillis(collector.journalOpenNs()));
    }

    private static void printOutput(SinkStatus output) {
        System.err.printf(
                "millrace: output %s: acknowledged %d, filtered %d, dead letters %d, missing in the journal %d, to be sent after"
                        + " the next start %d%s%n",
                output.name(),
                output.counts().acked(),
                output.counts().filtered(),
                output.counts().deadLettered(),
                output.counts().missing(),
                output.pending(),
                output.problem() == null ? "" : " (" + output.problem() + ")");
    }
}
