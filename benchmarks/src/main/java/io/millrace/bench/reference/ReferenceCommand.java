package io.millrace.bench.reference;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace bench reference}: runs one reference receiver until a signal. */
@Command(
        name = "reference",
        description = "Run one reference receiver: it writes each datagram as a line to a file.",
        footer = {
            "",
            "Prints 'ready port=N granted=N' on standard output when it listens; granted is the",
            "value of getsockopt(SO_RCVBUF), which is twice the requested receive buffer. On",
            "SIGTERM or SIGINT it drains the socket, flushes the file and prints one JSON object.",
            "",
            "Example:",
            "  millrace bench reference nio --listen 127.0.0.1:5514 --out /tmp/nio.log",
            "",
            "Exit codes: 0 stopped by a signal; 1 failed; 2 bad usage; 3 not available on this",
            "host, and standard output has 'unavailable: reason'.",
        })
public final class ReferenceCommand implements Callable<Integer> {
    private static final int UNAVAILABLE = 3;

    @Parameters(
            paramLabel = "NAME",
            description = "One of ${COMPLETION-CANDIDATES}.",
            completionCandidates = Names.class)
    @SuppressWarnings("NullAway.Init") // Required.
    private String name;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Where to listen; port 0 lets the kernel choose (default: ${DEFAULT-VALUE}).")
    private String listen = "127.0.0.1:0";

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "The file to write; an existing one is replaced.")
    @SuppressWarnings("NullAway.Init") // Required.
    private Path out;

    @Option(
            names = "--receive-buffer",
            paramLabel = "BYTES",
            description = "Receive buffer to request from the kernel (default: ${DEFAULT-VALUE}).")
    private int receiveBuffer = 4 << 20;

    @Option(
            names = "--max-datagram",
            paramLabel = "BYTES",
            description = "Longest payload; longer ones are truncated (default: ${DEFAULT-VALUE}).")
    private int maxDatagram = ReferenceSettings.DEFAULT_MAX_DATAGRAM_BYTES;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile int exitCode = 1;

    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ReferenceReceivers.names().iterator();
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        ReferenceReceivers which = ReferenceReceivers.named(name);
        ReferenceSettings settings = new ReferenceSettings(address(listen), out, receiveBuffer, maxDatagram);
        String problem = which.unavailableBecause();
        if (problem != null) {
            System.out.println("unavailable: " + problem);
            return UNAVAILABLE;
        }
        // Before the start, so that a signal during the start also ends in an orderly stop.
        Thread hook = new Thread(this::onSignal, "reference-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            run(which, settings);
            exitCode = 0;
        } catch (IOException e) {
            // Printed here and not by the caller: once the hook continues, nothing more is printed.
            System.err.println("millrace bench: " + e.getMessage());
        } finally {
            stopped.countDown();
            removeHook(hook);
        }
        return exitCode;
    }

    private void run(ReferenceReceivers which, ReferenceSettings settings) throws IOException, InterruptedException {
        ReferenceReceiver receiver = which.open(settings);
        try (receiver) {
            receiver.start();
            System.out.println("ready port=" + receiver.localPort() + " granted=" + receiver.grantedReceiveBuffer());
            stop.await();
        }
        reportErrors(receiver.errors(), receiver.firstError());
        System.out.println("{\"receiver\":\"" + which.receiverName() + "\",\"received\":" + receiver.received()
                + ",\"written\":" + receiver.written() + "}");
    }

    private static void reportErrors(long errors, @Nullable IOException first) {
        if (first != null) {
            System.err.println("millrace bench: " + errors + " calls failed, the first: " + first.getMessage());
        }
    }

    static InetSocketAddress address(String hostAndPort) {
        int colon = hostAndPort.lastIndexOf(':');
        try {
            String host = hostAndPort.substring(0, colon);
            InetSocketAddress address = new InetSocketAddress(host, Integer.parseInt(hostAndPort.substring(colon + 1)));
            if (!address.isUnresolved()) {
                return address;
            }
        } catch (IndexOutOfBoundsException | IllegalArgumentException notAnAddress) {
            // The message is below.
        }
        throw new IllegalArgumentException(
                "--listen accepts HOST:PORT, for example 127.0.0.1:5514, not '" + hostAndPort + "'");
    }

    /** Lets the main thread finish and exits with its code instead of that of the signal. */
    private void onSignal() {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(exitCode);
    }

    private static void removeHook(Thread hook) {
        try {
            var unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException alreadyStopping) {
            // The hook runs and waits for this thread.
        }
    }
}
