package io.millrace.app.service;

import io.millrace.app.admin.AdminServer;
import io.millrace.app.admin.ServiceStatus;
import io.millrace.app.alert.Alerts;
import io.millrace.app.config.AdminSettings;
import io.millrace.app.config.Config;
import io.millrace.app.config.ConfigException;
import io.millrace.app.config.ConfigText;
import io.millrace.app.control.Answer;
import io.millrace.app.control.ControlClient;
import io.millrace.app.control.ControlServer;
import io.millrace.app.handoff.HandoffClient;
import io.millrace.app.handoff.HandoffServer;
import io.millrace.app.report.BuildInfo;
import io.millrace.app.report.FailureMessage;
import io.millrace.app.report.LedgerText;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Endpoint;
import io.millrace.collector.SyncSettings;
import io.millrace.internal.journal.file.ChronicleFiles;
import io.millrace.internal.text.ByteSize;
import io.millrace.internal.text.DurationText;
import io.millrace.internal.text.IpText;
import io.millrace.message.InputRules;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A run of the service, until a signal or a handoff. The main thread. */
public final class ServiceRun {
    /** Waits until the previous process has closed the port of admin HTTP. */
    private static final long ADMIN_WITHIN_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long ADMIN_RETRY_MS = 50;

    private final Collector collector;
    private final Config config;
    private final @Nullable Reload reload;
    private final @Nullable HandoffClient hotRestart;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = 1;
    private @Nullable List<BoundSocket> left;

    /**
     * Creates a run.
     *
     * @param collector the collector, which is not started
     * @param reload reloads the configuration; null without a file
     * @param hotRestart the predecessor, whose sockets the collector has; null if there is none
     */
    public ServiceRun(Collector collector, Config config, @Nullable Reload reload, @Nullable HandoffClient hotRestart) {
        this.collector = collector;
        this.config = config;
        this.reload = reload;
        this.hotRestart = hotRestart;
    }

    /** Runs until the stop; returns the exit code. */
    public int run() throws InterruptedException {
        // Before the start, so that a signal during it causes a clean stop.
        ChronicleFiles.prepareForShutdown();
        Thread hook = new Thread(this::onSignal, "millrace-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            if (start()) {
                serve();
            }
            exitCode = 0;
        } catch (IOException e) {
            // Printed here and not by the caller, because nothing is printed after the hook continues.
            FailureMessage.print(e);
        } finally {
            stopped.countDown();
            removeHook(hook);
        }
        return exitCode;
    }

    /** The sockets after {@link #run()} if the successor failed, so that this process must continue; else null. */
    @Nullable
    public List<BoundSocket> left() {
        return left;
    }

    /** False if it was stopped before the handoff: the running process continues. */
    private boolean start() throws IOException, InterruptedException {
        if (hotRestart != null && stop.getCount() == 0) {
            return false;
        }
        if (hotRestart != null) {
            hotRestart.await();
            collector.adoptStreams(hotRestart.takeStreams());
        }
        collector.start();
        if (hotRestart != null) {
            System.err.println("millrace: " + hotRestart.text());
        }
        if (reload != null && HangupSignal.handle(reload::runUnasked) && HangupSignal.isIgnored()) {
            System.err.println(
                    "millrace: SIGHUP does not reach this process, because it was started with the signal ignored, as"
                            + " nohup does: 'millrace reload' reloads the configuration");
        }
        return true;
    }

    private void serve() throws IOException, InterruptedException {
        AdminServer server = null;
        String version = BuildInfo.read().version();
        ServiceStatus status =
                new ServiceStatus(collector, version, config.alerts().outputLag());
        Alerts alerts = new Alerts(status::faults, config.alerts(), version);
        if (reload != null) {
            reload.onAlerts(next -> {
                alerts.configure(next);
                status.maxLag(next.outputLag());
            });
        }
        ControlServer control = control(status);
        HandoffServer handoff = HandoffServer.await(collector, stop::countDown);
        try {
            AdminSettings admin = config.admin();
            server = admin == null ? null : admin(admin, status, alerts);
            alerts.start();
            announce(collector, server);
            try (RateReport report = new RateReport(collector)) {
                report.start();
                stop.await();
            }
            alerts.close();
            System.err.println(handoff.decide() ? "millrace: handing off" : "millrace: stopping");
            status.stopping();
        } finally {
            // A successor listens at the same path.
            control.close();
            alerts.close();
            end(server, handoff);
            status.close();
        }
    }

    private ControlServer control(ServiceStatus status) {
        OutputChanges changes = new OutputChanges(collector, reload);
        return ControlServer.start(
                collector.settings().dataDirectory(),
                Map.of(
                        "status",
                        () -> new Answer(0, status.text()),
                        "status json",
                        () -> new Answer(0, status.json() + "\n"),
                        ControlClient.HEALTH,
                        () -> new Answer(0, status.health()),
                        ControlClient.CONFIG,
                        () -> new Answer(0, ConfigText.of(config)),
                        ControlClient.OUTPUTS,
                        () -> new Answer(
                                0,
                                collector.outputs().stream()
                                        .map(SinkStatus::name)
                                        .collect(Collectors.joining("\n"))),
                        "reload",
                        this::reloadAsked),
                Map.of(
                        "dead-letters retry",
                        new DeadLetterRetry(collector)::run,
                        "dead-letters drop",
                        changes::dropDeadLetters,
                        "positions set",
                        changes::setPosition,
                        "positions forget",
                        changes::forget));
    }

    private Answer reloadAsked() {
        if (reload == null) {
            return new Answer(1, "the service runs without a configuration file: there is nothing to read again\n");
        }
        try {
            return new Answer(0, reload.run().page());
        } catch (ConfigException e) {
            return new Answer(
                    2, "not applied; the service continues with the previous configuration\n" + e.getMessage() + "\n");
        }
    }

    private void end(@Nullable AdminServer server, HandoffServer handoff) throws IOException {
        boolean wanted = handoff.decide();
        if (wanted && server != null) {
            // The successor listens on the same port.
            server.close();
        }
        try {
            if (wanted) {
                left = handoff.run();
            } else {
                handoff.close();
                collector.close();
            }
        } finally {
            System.err.print(LedgerText.closing(collector.ledger()));
            collector.outputs().forEach(ServiceRun::printOutput);
            if (!wanted && server != null) {
                server.close();
            }
        }
    }

    /** After a handoff, the predecessor may still have the port for a moment. */
    private @Nullable AdminServer admin(AdminSettings admin, ServiceStatus status, Alerts alerts)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        while (true) {
            try {
                return new AdminServer(
                        collector,
                        admin,
                        status,
                        alerts.metrics(),
                        new InputRules(config.timeZone(), false),
                        config.inputRules(),
                        reload == null ? config.routing()::filters : reload::filters,
                        reload == null ? null : reload::run);
            } catch (IOException e) {
                if (hotRestart == null) {
                    throw e;
                }
                if (System.nanoTime() - startNs > ADMIN_WITHIN_NS) {
                    // No other process reads the sockets, so receiving continues even if other parts fail.
                    System.err.println("millrace: there is no admin HTTP until the next start: " + e.getMessage());
                    return null;
                }
                Thread.sleep(ADMIN_RETRY_MS);
            }
        }
    }

    /** On a signal, the main thread finishes, and the exit code is its code instead of the signal's. */
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
            // The hook is running and waits for this thread.
        }
    }

    private static void announce(Collector collector, @Nullable AdminServer server) {
        int asked = collector.settings().get(CollectorSettings.RECEIVE_BUFFER);
        int granted = collector.grantedReceiveBuffer();
        if (granted < asked && !collector.settings().inputs().isEmpty()) {
            System.err.printf(
                    "millrace: receive buffer: asked for %s, the kernel grants %s; bursts are lost sooner. Allow it with:"
                            + " sudo sysctl -w net.core.rmem_max=%d%n",
                    ByteSize.text(asked), ByteSize.text(granted), asked);
        }
        System.err.println(
                "millrace: " + atPowerFailure(collector.settings().journal().sync()));
        System.err.printf(
                "millrace: ready: %s, transport %s, %d %s (%s), data %s%s, outputs %s, admin %s (journal opened in %d ms)%n",
                listeners(collector),
                collector.transport(),
                collector.settings().receivers(),
                collector.settings().receivers() == 1 ? "receiver" : "receivers",
                collector.settings().get(CollectorSettings.THREADING).name().toLowerCase(Locale.ROOT),
                collector.settings().dataDirectory().toAbsolutePath().normalize(),
                collector.settings().inputs().isEmpty() ? "" : ", receive buffer " + ByteSize.text(granted),
                collector.outputs().isEmpty()
                        ? "none"
                        : collector.outputs().stream().map(SinkStatus::name).collect(Collectors.joining(" ")),
                server == null ? "off" : server.url(),
                TimeUnit.NANOSECONDS.toMillis(collector.journalOpenNs()));
    }

    /** What a power failure can take. */
    private static String atPowerFailure(SyncSettings sync) {
        return switch (sync.level()) {
            case INTERVAL ->
                "a power failure can take the messages of the last " + DurationText.of(sync.interval())
                        + " and of one sync, but none that RELP has answered (journal.sync)";
            case BATCH -> "a power failure takes no journaled message (journal.sync: batch)";
            case PAGE_CACHE ->
                "a power failure can take the messages of about 30 s, also those that RELP has answered (journal.sync:"
                        + " page-cache)";
        };
    }

    private static String listeners(Collector collector) {
        List<String> listeners = new ArrayList<>();
        if (!collector.addresses().isEmpty()) {
            listeners.add(
                    "udp " + collector.addresses().stream().map(IpText::of).collect(Collectors.joining(" ")));
        }
        for (Endpoint endpoint : collector.endpoints()) {
            listeners.add(endpoint.toString().replace("://", " "));
        }
        return String.join(", ", listeners);
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
