package io.millrace.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.EventRequest;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.journal.recovery.JournalScanner;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that cannot do its work ends, and the next start accounts for it. A debugger throws the error, so the service
 * has no code for this test, and the error comes wherever the thread is, as a real one does.
 */
@Tag("calm")
@Tag("once")
@Timeout(300)
@Tag("full")
class FatalErrorIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Alone on a host it takes at most 2 s; beside other tests it may have to wait for a CPU. */
    private static final Duration END = Duration.ofSeconds(Integer.getInteger("millrace.it.end", 10));

    private static final int EXIT_CODE = 3;

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    /** Each start accounts for the end before it. */
    @Test
    void outOfMemoryEndsTheService() throws Exception {
        for (String thread : List.of(
                "millrace-receive-0",
                "millrace-journal-0",
                "millrace-output-disk",
                "millrace-retention",
                "millrace-allocate",
                "millrace-sync-0",
                "millrace-sources",
                "main")) {
            end(thread, null, "--config", config());
        }
        // One thread for both, as on a host with two CPUs.
        end("millrace-receive-0", null, "--receivers", "1", "--threading", "shared");
        startAgain();
    }

    /** Their executors replace a thread that ends between two tasks, so the error comes within a task. */
    @Test
    void outOfMemoryInATaskEndsTheService() throws Exception {
        end("millrace-history", new Place("io.millrace.app.admin.History", "sample"), "--config", config());
        end("millrace-alert", new Place("io.millrace.app.alert.Alerts", "check"), "--config", config());
        end("millrace-policy", new Place("io.millrace.internal.policy.Policy", "tick"), "--config", config());
        end("millrace-admin", new Place("io.millrace.app.admin.AdminServer", "handle"), "--config", config());
        startAgain();
    }

    private String config() throws IOException {
        return Files.writeString(directory.resolve("millrace.yaml"), """
                        receive: {receivers: 1, threading: dedicated}
                        journal: {sync: interval 100ms}
                        sources: {watch: true}
                        policy: {perSource: {datagrams: 1000000}}
                        outputs: {disk: {type: file, path: %s}}
                        """.formatted(directory.resolve("out.log")))
                .toString();
    }

    private void end(String thread, @Nullable Place place, String... options) throws Exception {
        try (Service service = Service.start(debuggable(), data(), options);
                DatagramSocket sender = new DatagramSocket()) {
            accountsForAll();
            long before = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
            send(sender, service.port());
            await().atMost(SOON).until(() -> Service.counter(data(), Counter.JOURNALED_DATAGRAMS) > before);
            throwIn(service, thread, place);
            long startNs = System.nanoTime();
            // A thread that waits for work, or in a system call, meets the error when it returns.
            while (service.process().isAlive() && System.nanoTime() - startNs < SOON.toNanos()) {
                send(sender, service.port());
                ask(service);
                Thread.sleep(10);
            }
            long endedNs = System.nanoTime() - startNs;
            assertThat(service.process().awaitExit(SOON)).as(thread).isEqualTo(EXIT_CODE);
            System.err.printf("FatalErrorIT: %s: the end comes after %,d ms%n", thread, endedNs / 1_000_000);
            assertThat(endedNs).as(thread).isLessThan(END.toNanos());
            // Netty logs the error of a receiver's thread itself, and its end is noticed within a second.
            assertThat(String.join("\n", service.process().err()))
                    .containsPattern(thread + "[-0-9]* cannot continue: ")
                    .contains("java.lang.OutOfMemoryError");
        }
    }

    private void startAgain() throws Exception {
        try (Service service = Service.start(List.of(), data())) {
            accountsForAll();
            service.stop();
        }
        assertThat(Service.counter(data(), Counter.RECEIVED_DATAGRAMS)).isPositive();
        List<JournalScanner.Problem> problems = new ArrayList<>();
        new JournalScanner(data(), problems::add, (done, total) -> {}).scan();
        assertThat(problems).isEmpty();
    }

    /** What an earlier process has received is journaled, or counted as lost. */
    private void accountsForAll() throws IOException {
        assertThat(Service.counter(data(), Counter.JOURNALED_DATAGRAMS)
                        + Service.counter(data(), DropReason.CRASH.counter()))
                .isEqualTo(Service.counter(data(), Counter.RECEIVED_DATAGRAMS));
    }

    private static List<String> debuggable() {
        return List.of(
                "env", "JDK_JAVA_OPTIONS=-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    }

    private static void send(DatagramSocket sender, int port) throws IOException {
        byte[] bytes = "<13>a message".getBytes(US_ASCII);
        InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        for (int i = 0; i < 20; i++) {
            sender.send(new DatagramPacket(bytes, bytes.length, to));
        }
    }

    private static void ask(Service service) {
        URI admin = URI.create(service.adminUrl());
        try (Socket socket = new Socket(admin.getHost(), admin.getPort())) {
            socket.getOutputStream().write("GET /healthz HTTP/1.0\r\n\r\n".getBytes(US_ASCII));
        } catch (IOException e) {
            // It has ended.
        }
    }

    /** A method that a thread calls. */
    private record Place(String type, String method) {}

    /** Throws an OutOfMemoryError in a thread of the service: where it is, or at the beginning of a method. */
    private static void throwIn(Service service, String name, @Nullable Place place) throws Exception {
        String listening = service.process().awaitOut(line -> line.contains("Listening for transport"), SOON);
        VirtualMachine vm = attach(listening.substring(listening.lastIndexOf(' ') + 1));
        try {
            // The JVM has some, which it keeps for the case.
            ObjectReference error = vm.classesByName("java.lang.OutOfMemoryError")
                    .get(0)
                    .instances(1)
                    .get(0);
            if (place == null) {
                vm.allThreads().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("there is no thread " + name))
                        .stop(error);
            } else {
                awaitIn(vm, place, service).stop(error);
            }
        } finally {
            try {
                vm.dispose();
            } catch (VMDisconnectedException ended) {
                // The service has ended already.
            }
        }
    }

    /** Suspends a thread at the beginning of a method. */
    private static ThreadReference awaitIn(VirtualMachine vm, Place place, Service service)
            throws InterruptedException {
        Location begin = vm.classesByName(place.type())
                .get(0)
                .methodsByName(place.method())
                .get(0)
                .location();
        BreakpointRequest request = vm.eventRequestManager().createBreakpointRequest(begin);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        ask(service);
        while (true) {
            EventSet events = vm.eventQueue().remove(SOON.toMillis());
            assertThat(events).as("calls of %s", place).isNotNull();
            for (Event event : events) {
                if (event instanceof BreakpointEvent reached) {
                    return reached.thread();
                }
            }
        }
    }

    private static VirtualMachine attach(String port) throws Exception {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.transport().name().equals("dt_socket"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("hostname").setValue("127.0.0.1");
        arguments.get("port").setValue(port.substring(port.indexOf(':') + 1));
        return connector.attach(arguments);
    }
}
