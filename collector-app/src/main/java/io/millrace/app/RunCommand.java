package io.millrace.app;

import io.millrace.agent.Pinning;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.Threading;
import io.millrace.counters.Ledger;
import io.millrace.receive.Steering;
import io.millrace.record.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code millrace run}: the service. */
@Command(
        name = "run",
        description = "Receive on UDP and journal, until SIGTERM or SIGINT.",
        footer = {
            "",
            "Examples:",
            "  millrace run                                      UDP port 5514, journal in ./data",
            "  millrace run --listen 0.0.0.0:514 --listen [::1]:5514 --data /var/lib/millrace",
            "  millrace run --receivers 4 --receive-buffer 256M --admin off",
            "",
            "Try it: logger -d -n 127.0.0.1 -P 5514 hello; then millrace read",
        })
final class RunCommand extends HelpOption implements Callable<Integer> {
    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            converter = Values.Address.class,
            description = "Where to receive; may be given again. (default: [::]:5514, IPv4 included)")
    private List<Values.Listen> listen = new ArrayList<>();

    @Option(names = "--data", paramLabel = "DIR", description = "The data directory (default: ${DEFAULT-VALUE}).")
    private Path data = Path.of("data");

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "native, epoll, nio, or auto for the best that works here (default: ${DEFAULT-VALUE}).")
    private String transport = "auto";

    @Option(
            names = "--receivers",
            paramLabel = "auto|N",
            converter = Values.Receivers.class,
            description =
                    "Receivers that share each port, and shards of the journal; auto is 1 up to two processors, else"
                            + " half of them (default: auto).")
    private int receivers;

    @Option(
            names = "--steering",
            paramLabel = "NAME",
            description =
                    "How the kernel chooses among receivers. hash: by addresses and ports, a source stays with one;"
                            + " cpu: by the processor a datagram came in on; spread: at random, which splits one heavy source"
                            + " (default: hash).")
    private Steering steering = Steering.HASH;

    @Option(
            names = "--gro",
            paramLabel = "on|off",
            description =
                    "Take trains of datagrams from the kernel in one piece; transport native only (default: off).")
    private Values.Switch gro = Values.Switch.OFF;

    @Option(
            names = "--threading",
            paramLabel = "NAME",
            description = "shared: receiver and journal writer on one thread; dedicated: a thread each; auto:"
                    + " dedicated if each can have a processor and there are four (default: auto).")
    private Threading threading = Threading.AUTO;

    @Option(
            names = "--busy-poll",
            paramLabel = "on|off",
            description =
                    "Receivers never sleep, and take a processor each; transports native and epoll (default: off).")
    private Values.Switch busyPoll = Values.Switch.OFF;

    @Option(
            names = "--receiver-cpus",
            paramLabel = "LIST",
            converter = Values.Processors.class,
            description = "Processors to bind receivers to, in turns, such as 1,3 or 0-3 (default: none).")
    private Pinning receiverPinning = Pinning.NONE;

    @Option(
            names = "--writer-cpus",
            paramLabel = "LIST",
            converter = Values.Processors.class,
            description = "Processors to bind journal writers with threads of their own to (default: none).")
    private Pinning writerPinning = Pinning.NONE;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = Values.Size.class,
            description = "Receive buffer to ask the kernel for, for each socket (default: 64M).")
    private int receiveBuffer = 64 << 20;

    @Option(
            names = "--max-datagram",
            paramLabel = "SIZE",
            converter = Values.Size.class,
            description = "Longest payload to keep; longer ones are cut off and marked (default: 65507).")
    private int maxDatagram = 65_507;

    @Option(
            names = "--stop-linger",
            paramLabel = "TIME",
            converter = Values.Time.class,
            description = "At the stop, go on counting what still arrives for this long (default: 0s).")
    private Duration stopLinger = Duration.ZERO;

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT|off",
            description = "Where admin HTTP listens (default: ${DEFAULT-VALUE}).")
    private String admin = "127.0.0.1:9514";

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = 1;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CollectorBuilder builder = Collector.builder()
                .journal(data)
                .transport(transport)
                .receivers(receivers)
                .threading(threading)
                .steering(steering)
                .gro(gro == Values.Switch.ON)
                .busyPoll(busyPoll == Values.Switch.ON)
                .receiverPinning(receiverPinning)
                .writerPinning(writerPinning)
                .receiveBuffer(receiveBuffer)
                .maxDatagram(maxDatagram)
                .stopLinger(stopLinger);
        for (Values.Listen each : listen.isEmpty() ? List.of(Values.Listen.defaultAddress()) : listen) {
            builder.listen(each.text(), each.address());
        }
        InetSocketAddress adminAddress = admin.equals("off") ? null : adminAddress();

        Collector collector = builder.build();
        // Before the start, so that a signal during it ends in an orderly stop too.
        Thread hook = new Thread(this::onSignal, "millrace-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            run(collector, adminAddress);
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

    private InetSocketAddress adminAddress() {
        try {
            return Values.Listen.of(admin).address();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    "--admin takes HOST:PORT, for example 127.0.0.1:9514, or off, not '" + admin + "'", e);
        }
    }

    private void run(Collector collector, @Nullable InetSocketAddress adminAddress)
            throws IOException, InterruptedException {
        collector.start();
        AdminServer server = null;
        try {
            if (adminAddress != null) {
                server = new AdminServer(collector, adminAddress);
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
                printLedger(collector.ledger());
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
                    Values.bytes(asked), Values.bytes(granted), asked);
        }
        System.err.printf(
                "millrace: ready: udp %s, transport %s, %d %s (%s), data %s, receive buffer %s, admin %s (journal opened in %d ms)%n",
                collector.addresses().stream().map(IpText::of).collect(Collectors.joining(" ")),
                collector.transport(),
                collector.settings().receivers(),
                collector.settings().receivers() == 1 ? "receiver" : "receivers",
                collector.settings().threading().name().toLowerCase(Locale.ROOT),
                collector.settings().dataDirectory().toAbsolutePath().normalize(),
                Values.bytes(granted),
                server == null ? "off" : "http://" + IpText.of(server.address()),
                TimeUnit.NANOSECONDS.toMillis(collector.journalOpenNs()));
    }

    private static void printLedger(Ledger ledger) {
        System.err.printf(
                "millrace: ledger: received %d = journaled %d + in flight %d; dropped at the socket %s, after the stop %s;"
                        + " truncated %d%n",
                ledger.received(),
                ledger.journaled(),
                ledger.inFlight(),
                known(ledger.dropped().socketBuffer()),
                known(ledger.afterStop()),
                ledger.truncated());
    }

    private static String known(@Nullable Long value) {
        return value == null ? "unavailable" : value.toString();
    }
}
