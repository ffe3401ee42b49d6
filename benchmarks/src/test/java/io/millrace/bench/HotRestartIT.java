package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.FreePort;
import io.millrace.bench.check.LineFile;
import io.millrace.bench.check.RunCheck;
import io.millrace.collector.BoundSocket;
import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.handoff.DescriptorSocket;
import io.millrace.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service that replaces another under load: nothing is lost, nothing comes twice, and everything is counted. The rate and
 * how often are set with {@code -Dmillrace.it.handoff.rate=50000} and {@code -Dmillrace.it.handoff.rounds=2}.
 */
@Tag("once")
@Timeout(300)
class HotRestartIT {
    private static final int RATE = Integer.getInteger("millrace.it.handoff.rate", 50_000);
    private static final int ROUNDS = Integer.getInteger("millrace.it.handoff.rounds", 2);
    private static final int SECONDS_PER_ROUND = 3;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long SOON_NS = SOON.toNanos();

    @TempDir
    private Path directory;

    private Path data;
    private String[] options;

    @BeforeEach
    void prepare() throws IOException {
        data = directory.resolve("data");
        Path config = directory.resolve("millrace.yaml");
        Files.writeString(config, "outputs: {all: {type: file, path: " + directory + "/out, format: raw}}\n");
        options = new String[] {
            "--config",
            config.toString(),
            "--listen",
            "127.0.0.1:" + FreePort.next(),
            "--admin",
            "127.0.0.1:" + FreePort.next(),
            "--receivers",
            "2"
        };
    }

    private Service hotRestart() throws InterruptedException {
        List<String> args = new ArrayList<>(List.of(options));
        args.add("--hot-restart");
        return Service.start(List.of(), data, args.toArray(String[]::new));
    }

    @Test
    void nothingIsLostOrRepeatedUnderLoad() throws Exception {
        int count = RATE * SECONDS_PER_ROUND * (ROUNDS + 1);
        // Nobody is there to be replaced: it simply starts.
        Service service = hotRestart();
        List<Service> started = new ArrayList<>(List.of(service));
        try (Forked sender = Forked.send(
                List.of(),
                "--to",
                service.target(),
                "--rate",
                Integer.toString(RATE),
                "--gso",
                "16",
                "--sources",
                "8",
                "--count",
                Integer.toString(count),
                "--run",
                "a")) {
            service.needsItsReceiveBuffer();
            for (int round = 0; round < ROUNDS; round++) {
                TimeUnit.SECONDS.sleep(1);
                Service next = hotRestart();
                started.add(next);
                assertThat(service.process().awaitExit(SOON)).isZero();
                assertThat(service.process().err())
                        .anyMatch(line -> line.contains("handed off 2 sockets to process "
                                + next.process().pid()))
                        .anyMatch(line -> line.contains("in flight 0; dropped at the socket 0, after the stop 0"))
                        .noneMatch(line -> line.contains("was killed"));
                String said = next.process().awaitErr("received 2 sockets", SOON);
                System.err.println("HotRestartIT: " + said);
                assertThat(said).contains("from process " + service.process().pid());
                assertThat(next.adminUrl()).isEqualTo(service.adminUrl());
                service = next;
            }
            assertThat(sender.awaitExit(SOON)).isZero();
            awaitDelivered(service, count);
            service.stop();
        } finally {
            started.forEach(Service::close);
        }
        assertThat(data.resolve("handoff")).doesNotExist();
        checkAll(count);
    }

    private static void awaitDelivered(Service service, int count) {
        Service last = service;
        await().atMost(SOON).until(() -> {
            JsonNode ledger = last.ledger();
            return ledger.at("/lifetime/journaled").asLong()
                                    + ledger.at("/lifetime/dropped/socketBuffer")
                                            .asLong()
                            >= count
                    && ledger.at("/delivered/all/pending").asLong() == 0;
        });
    }

    private void checkAll(int count) throws IOException {
        long dropped = Service.counter(data, DropReason.SOCKET_BUFFER.counter());
        long received = Service.counter(data, Counter.RECEIVED_DATAGRAMS);
        assertThat(received + dropped).as("received, and dropped by the kernel").isEqualTo(count);
        assertThat(Service.counter(data, Counter.JOURNALED_DATAGRAMS)).isEqualTo(received);
        assertThat(Service.counter(data, DropReason.CRASH.counter())).isZero();
        RunCheck journal = RunCheck.of(Journal.open(data), 0xa);
        assertThat(journal.distinct()).isEqualTo(received);
        assertThat(journal.duplicated()).isZero();
        RunCheck file = new RunCheck(0xa);
        LineFile.read(directory.resolve("out"), file::add);
        assertThat(file.distinct()).as("in the output").isEqualTo(received);
        assertThat(file.duplicated()).as("twice in the output").isZero();
        assertThat(dropped).as("dropped by the kernel").isZero();
    }

    @Test
    void failedStartOfTheSuccessorChangesNothing() throws Exception {
        try (Service service = Service.start(List.of(), data, options)) {
            long pid = service.process().pid();
            try (Forked other = Forked.millrace(
                    List.of(),
                    "run",
                    "--hot-restart",
                    "--data",
                    data.toString(),
                    "--listen",
                    "127.0.0.1:1",
                    "--receivers",
                    "2")) {
                assertThat(other.awaitExit(SOON)).isEqualTo(2);
                assertThat(other.err())
                        .anyMatch(line -> line.contains("cannot replace process " + pid
                                + ", which continues unchanged: inputs listen on 127.0.0.1:1 here, and on "
                                + service.target() + " in the process that runs"));
            }
            service.process().awaitErr("did not continue, and nothing has changed", SOON);
            try (Forked other = Forked.millrace(
                    List.of(), "run", "--hot-restart", "--data", data.toString(), "--transport", "nio")) {
                assertThat(other.awaitExit(SOON)).isEqualTo(2);
                assertThat(other.err()).anyMatch(line -> line.contains("this is nio"));
            }
            try (DescriptorSocket other = DescriptorSocket.connect(data.resolve("handoff"))) {
                other.send("something else", SOON_NS);
                service.process().awaitErr("it says 'something else'", SOON);
            }
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            service.stop();
            assertThat(service.process().err()).noneMatch(line -> line.contains("handed off"));
        }
    }

    /** As when the next process is killed in the moment between the two. */
    @Test
    void oldProcessContinuesIfTheNewOneEnds() throws Exception {
        int count = 25_000;
        try (Service service = Service.start(List.of(), data, options);
                Forked sender = Forked.load(
                        "--to", service.target(), "--rate", "10k", "--count", Integer.toString(count), "--run", "a")) {
            service.needsItsReceiveBuffer();
            try (DescriptorSocket next = DescriptorSocket.connect(data.resolve("handoff"))) {
                next.send("millrace handoff 3", SOON_NS);
                assertThat(next.receive(SOON_NS)).startsWith("sockets 2 ");
                takeAndClose(next, 2);
                next.send("ready", SOON_NS);
            }
            service.process().awaitErr("continuing with the sockets", SOON);
            assertThat(sender.awaitExit(SOON)).isZero();
            awaitDelivered(service, count);
            assertThat(service.get("/readyz").statusCode()).isEqualTo(200);
            assertThat(service.ledger().get("crash").asLong()).isZero();
            try (Service after = hotRestart()) {
                assertThat(service.process().awaitExit(SOON)).isZero();
                after.stop();
            }
            assertThat(service.process().err())
                    .filteredOn(line -> line.contains("handed off"))
                    .hasSize(1);
        }
        checkAll(count);
    }

    /** Takes the rest of an offer: who leaves before that was never ready. */
    private static void takeAndClose(DescriptorSocket from, int sockets) throws IOException {
        for (int i = 0; i < sockets; i++) {
            assertThat(from.receive(SOON_NS)).contains("127.0.0.1:");
        }
        List<BoundSocket> taken = new ArrayList<>();
        for (int i = 0; i < sockets; i++) {
            taken.add(new BoundSocket(from.receiveDescriptor(SOON_NS), false));
        }
        BoundSocket.close(taken);
    }

    @Test
    void namesAnUnreachableOwnerOfTheDirectory() throws Exception {
        try (Service service = Service.start(List.of(), data, options)) {
            Files.delete(data.resolve("handoff"));
            try (Forked other = Forked.millrace(List.of(), "run", "--hot-restart", "--data", data.toString())) {
                assertThat(other.awaitExit(SOON)).isEqualTo(1);
                assertThat(other.err())
                        .anyMatch(line -> line.contains("cannot replace process "
                                + service.process().pid() + ", which continues unchanged: it has " + data
                                + ", and cannot be reached at " + data.resolve("handoff")));
            }
            service.stop();
        }
    }

    @Test
    void transportNioHasNoHotRestart() throws Exception {
        try (Service service = Service.start(List.of(), data, "--transport", "nio");
                Forked other = Forked.millrace(
                        List.of(), "run", "--hot-restart", "--data", data.toString(), "--listen", service.target())) {
            assertThat(other.awaitExit(SOON)).isEqualTo(1);
            assertThat(other.err())
                    .anyMatch(line -> line.contains("which continues unchanged: transport accepts native or epoll"));
            service.stop();
        }
    }
}
