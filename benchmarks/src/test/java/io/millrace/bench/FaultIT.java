package io.millrace.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.FreePort;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.recovery.JournalScanner;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the machine can refuse, except for disk space ({@link DiskFullIT}) and CPU time ({@link OverloadIT}): the
 * service says so, goes on or does not begin, and the ledger closes.
 */
@Tag("calm")
@Tag("once")
@Timeout(120)
@Tag("full")
class FaultIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** A new descriptor has to be below the limit, and the first three are always taken; those that are open stay. */
    private static final String NO_MORE_FILES = "3";

    @TempDir
    private Path directory;

    private Path data() {
        return directory.resolve("data");
    }

    /** The journal needs one each time it takes blocks of the disk. */
    @Test
    void reportsMissingFileDescriptorsAndRecovers() throws Exception {
        Needs.program("prlimit");
        try (Service service = Service.start(List.of(), data(), "--receivers", "1")) {
            service.needsItsReceiveBuffer();
            long pid = service.process().pid();
            // More than what the journal has taken ahead and the ring holds; the rest waits in the socket.
            Forked sender = send(service, "60000", "1000");
            // A class that is loaded for the first time may want a descriptor for its jar, and would be missing for
            // good.
            await().atMost(SOON)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> Service.counter(data(), Counter.JOURNALED_DATAGRAMS) > 0);
            limitFiles(pid, NO_MORE_FILES);
            service.process().awaitErr("Too many open files", SOON);
            JsonNode sent = result(sender);
            long stuckAt = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
            assertThat(stuckAt).isLessThan(sent.get("sent").asLong());
            limitFiles(pid, "4096");
            awaitAllIn(sent);
            // The next sync is within a second.
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 200);
            service.stop();
            assertLedgerCloses(sent);
        }
    }

    /** More connections than the limit of open files: everything else goes on, and later connections are accepted. */
    @Test
    void connectionsLeaveDescriptorsForTheJournalAndForCommands() throws Exception {
        int port = FreePort.next();
        String config = config("""
                inputs:
                  udp: {listen: 127.0.0.1:0}
                  tcp: {listen: "tcp://127.0.0.1:%d"}
                journal: {fileSize: 16M}
                """.formatted(port));
        List<Socket> connections = new ArrayList<>();
        List<String> fewFiles = List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh");
        try (Service service = Service.startWith(fewFiles, data(), "--config", config)) {
            service.needsItsReceiveBuffer();
            for (int i = 0; i < 400; i++) {
                // One source gets half of the places.
                InetAddress source = InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) (1 + i % 4)});
                connections.add(new Socket(InetAddress.getLoopbackAddress(), port, source, 0));
            }
            service.process().awaitErr("refused: the limit of open files", SOON);
            JsonNode sent = result(send(service, "40000", "600"));
            awaitAllIn(sent);
            assertThat(files(data())).as("the journal rolls").hasSizeGreaterThan(1);
            assertThat(command("status")).isZero();
            for (Socket connection : connections) {
                connection.close();
            }
            long before = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
            await().atMost(SOON).until(() -> {
                try (Socket again = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    again.getOutputStream().write("<13>accepted again\n".getBytes(US_ASCII));
                }
                return Service.counter(data(), Counter.JOURNALED_DATAGRAMS) > before;
            });
            service.stop();
            // An event may have a stack trace.
            assertThat(service.process().err())
                    .filteredOn(line -> line.matches("\\d{4}-.*"))
                    .hasSizeLessThan(40);
            assertThat(String.join("\n", service.process().err()))
                    .contains("LimitNOFILE=", "refused: the limit of open files");
        }
    }

    /** The socket of the commands stays readable while its connection cannot be accepted. */
    @Test
    void commandsWithoutDescriptorsFillNoLog() throws Exception {
        Needs.program("prlimit");
        try (Service service = Service.start(List.of(), data())) {
            assertThat(command("status")).isZero();
            limitFiles(service.process().pid(), NO_MORE_FILES);
            try (SocketChannel asking = SocketChannel.open(StandardProtocolFamily.UNIX)) {
                asking.connect(UnixDomainSocketAddress.of(data().resolve("control")));
                new Socket(
                                InetAddress.getLoopbackAddress(),
                                URI.create(service.adminUrl()).getPort())
                        .close();
                Thread.sleep(2000);
            }
            limitFiles(service.process().pid(), "4096");
            await().atMost(SOON).until(() -> command("status") == 0);
            service.stop();
            // An event may have a stack trace.
            assertThat(service.process().err())
                    .filteredOn(line -> line.matches("\\d{4}-.*"))
                    .hasSizeLessThan(40);
        }
    }

    private int command(String name) throws InterruptedException {
        try (Forked process = Forked.millrace(List.of(), name, "--data", data().toString())) {
            return process.awaitExit(SOON);
        }
    }

    private static List<Path> files(Path data) throws IOException {
        return JournalPaths.files(JournalPaths.shardPath(data, 0));
    }

    private static void limitFiles(long pid, String most) throws Exception {
        Process process = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + most + ":")
                .inheritIO()
                .start();
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void tooLittleDirectMemoryIsAnErrorWithARemedy() throws Exception {
        for (String most : List.of("64k", "4m")) {
            try (Forked service = Forked.millrace(
                    options("-XX:MaxDirectMemorySize=" + most),
                    "run",
                    "--data",
                    data().toString(),
                    "--listen",
                    "127.0.0.1:0",
                    "--admin",
                    "off")) {
                assertThat(service.awaitExit(SOON)).isEqualTo(1);
                assertThat(String.join("\n", service.err()))
                        .as("with %s", most)
                        .contains("direct memory", "-XX:MaxDirectMemorySize")
                        .doesNotContain("\tat ");
            }
        }
    }

    @Test
    void smallHeapIsEnoughUnderLoadAndManyRequests() throws Exception {
        try (Service service = Service.start(options("-Xms8m -Xmx24m"), data())) {
            Forked sender = send(service, "20000", "200");
            int looks = 0;
            while (sender.isAlive() && looks < 10_000) {
                for (String page : List.of("/metrics", "/api/status", "/api/ledger")) {
                    assertThat(service.get(page).statusCode()).isEqualTo(200);
                }
                looks++;
            }
            JsonNode sent = result(sender);
            awaitAllIn(sent);
            service.stop();
            assertThat(String.join("\n", service.process().err())).doesNotContain("OutOfMemoryError");
            assertLedgerCloses(sent);
        }
    }

    /** A hypervisor, a debugger, or a cgroup that is frozen: nobody reads, and the kernel counts what it drops. */
    @Test
    void stoppedProcessCountsEveryLoss() throws Exception {
        try (Service service = Service.start(List.of(), data(), "--receive-buffer", "256K")) {
            Forked sender = send(service, "40000", "200");
            await().atMost(SOON).until(() -> Service.counter(data(), Counter.JOURNALED_DATAGRAMS) > 1000);
            service.process().signal("STOP");
            Thread.sleep(1000);
            service.process().signal("CONT");
            JsonNode sent = result(sender);
            awaitAllIn(sent);
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            service.stop();
            assertLedgerCloses(sent);
            assertThat(Service.counter(data(), DropReason.SOCKET_BUFFER.counter()))
                    .isPositive();
        }
    }

    /** A disk that takes a third of a second for each sync. */
    @Test
    void slowDiskCountsEveryLoss() throws Exception {
        Needs.program("strace");
        try (Service service = Service.start(
                strace("fdatasync:delay_enter=300000"), data(), "--config", config("journal: {sync: batch}"))) {
            JsonNode sent = result(send(service, "10000", "200"));
            awaitAllIn(sent);
            service.stop();
            assertLedgerCloses(sent);
        }
    }

    /** A disk that takes no sync any more. */
    @Test
    void failedSyncCountsNothingAsJournaled() throws Exception {
        Needs.program("strace");
        try (Service service = Service.start(
                strace("fdatasync:error=EIO:when=5+"), data(), "--config", config("journal: {sync: batch}"))) {
            Forked sender = send(service, "5000", "200");
            service.process().awaitErr("sync", SOON);
            result(sender);
            await().atMost(SOON).until(() -> service.get("/readyz").statusCode() == 503);
            HttpResponse<String> ready = service.get("/readyz");
            assertThat(ready.body()).contains("to disk failed", "Input/output error");
            long journaled = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
            Thread.sleep(500);
            service.process().signal("KILL");
            var unused = service.process().awaitExit(SOON);
            assertThat(Service.counter(data(), Counter.JOURNALED_DATAGRAMS)).isEqualTo(journaled);
        }
        // Datagrams in slabs may be journaled; the next start checks, and accounts for the rest.
        try (Service service = Service.start(List.of(), data())) {
            service.stop();
        }
        long received = Service.counter(data(), Counter.RECEIVED_DATAGRAMS);
        long journaled = Service.counter(data(), Counter.JOURNALED_DATAGRAMS);
        assertThat(journaled + Service.counter(data(), DropReason.CRASH.counter()))
                .isEqualTo(received);
        assertJournalIsComplete();
        assertThat(RunCheck.of(Journal.open(data()), 7).distinct()).isEqualTo(journaled);
    }

    private String config(String text) throws IOException {
        return Files.writeString(directory.resolve("millrace.yaml"), text + "\n")
                .toString();
    }

    /** As a daemon of its own, so that the process is the service's. */
    private static List<String> strace(String inject) {
        return List.of(
                "strace",
                "-D",
                "-f",
                "-qq",
                "--seccomp-bpf",
                "-o",
                "/dev/null",
                "-e",
                "trace=fdatasync",
                "-e",
                "inject=" + inject,
                "--");
    }

    private static List<String> options(String more) {
        return List.of("env", "_JAVA_OPTIONS=" + more);
    }

    private static Forked send(Service service, String count, String size) {
        return Forked.load(
                "--to", service.target(), "--rate", "20k", "--count", count, "--size", size, "--run", "7", "--json");
    }

    private static JsonNode result(Forked sender) throws Exception {
        try (sender) {
            assertThat(sender.awaitExit(SOON)).isZero();
            return new ObjectMapper().readTree(String.join("", sender.out()));
        }
    }

    /** Waits until what was sent is journaled, or was dropped by the kernel. */
    private void awaitAllIn(JsonNode sent) {
        await().atMost(SOON)
                .until(() -> Service.counter(data(), Counter.JOURNALED_DATAGRAMS)
                                + Service.counter(data(), DropReason.SOCKET_BUFFER.counter())
                        >= sent.get("sent").asLong());
    }

    private void assertLedgerCloses(JsonNode sent) throws IOException {
        long received = Service.counter(data(), Counter.RECEIVED_DATAGRAMS);
        long drops = Service.counter(data(), DropReason.SOCKET_BUFFER.counter());
        assertThat(received + drops).isEqualTo(sent.get("sent").asLong());
        assertThat(Service.counter(data(), Counter.JOURNALED_DATAGRAMS)).isEqualTo(received);
        assertJournalIsComplete();
        RunCheck check = RunCheck.of(Journal.open(data()), 7);
        assertThat(check.distinct()).isEqualTo(received);
        assertThat(check.duplicated()).isZero();
    }

    private void assertJournalIsComplete() throws IOException {
        List<JournalScanner.Problem> problems = new ArrayList<>();
        new JournalScanner(data(), problems::add, (done, total) -> {}).scan();
        assertThat(problems).isEmpty();
    }
}
