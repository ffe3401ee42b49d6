package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Counter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands answer soon, whatever state the service is in. */
@Tag("calm")
@Tag("once")
@Timeout(180)
class CommandAnswersIT {
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Alone on a host it takes at most 3 s; beside other tests it may have to wait for a CPU. */
    private static final Duration ANSWER = Duration.ofSeconds(Integer.getInteger("millrace.it.answer", 15));

    private static final List<List<String>> QUESTIONS = List.of(
            List.of("status"), List.of("ledger"), List.of("doctor", "--no-disk-test"), List.of("read", "--last", "5"));

    @TempDir
    private Path directory;

    private Path config() throws IOException {
        return Files.writeString(
                directory.resolve("millrace.yaml"),
                String.join(
                        "\n",
                        "data: " + data(),
                        "inputs: {syslog: {listen: '127.0.0.1:0'}}",
                        "outputs: {archive: {type: file, path: " + out() + ", format: raw}}",
                        ""));
    }

    private Path data() {
        return directory.resolve("data");
    }

    private Path out() {
        return directory.resolve("out.log");
    }

    /** What a command prints, the exit code first. */
    private String answer(List<String> command) throws Exception {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--config", config().toString()));
        long startNs = System.nanoTime();
        try (Forked process = Forked.millrace(List.of(), all.toArray(String[]::new))) {
            int code = process.awaitExit(SOON);
            Duration took = Duration.ofNanos(System.nanoTime() - startNs);
            System.err.printf("CommandAnswersIT: %s after %,d ms%n", String.join(" ", command), took.toMillis());
            assertThat(took).as(String.join(" ", command)).isLessThan(ANSWER);
            return code + "\n" + String.join("\n", process.out()) + "\n" + String.join("\n", process.err());
        }
    }

    private void send(Service service, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < count; i++) {
                byte[] text = ("<14>Nov 21 10:00:00 web1 app: " + i).getBytes(StandardCharsets.US_ASCII);
                socket.send(new DatagramPacket(
                        text, text.length, new InetSocketAddress(InetAddress.getLoopbackAddress(), service.port())));
            }
        }
        await().atMost(SOON).until(() -> Service.counter(data(), Counter.JOURNALED_DATAGRAMS) == count);
    }

    @Test
    @Tag("full")
    void stoppedAndKilledServicesAreDescribed() throws Exception {
        assertThat(answer(List.of("status"))).startsWith("1").contains("there is no data directory " + data());
        try (Service service = Service.startWith(data(), "--config", config().toString())) {
            send(service, 7);
            assertThat(answer(List.of("status"))).startsWith("0").contains("ready");
            service.process().signal("STOP");
            String pid = Long.toString(service.process().pid());
            for (List<String> question : QUESTIONS) {
                String answer = answer(question);
                if (question.contains("read")) {
                    assertThat(answer).contains("web1 app: 6");
                } else {
                    assertThat(answer)
                            .contains("process " + pid + " does not answer since ")
                            .contains("'kill -CONT " + pid + "' continues it");
                }
            }
            assertThat(answer(List.of("status"))).startsWith("1").containsPattern("= journaled +7 ");
            assertThat(answer(List.of("reload"))).startsWith("1").contains("does not answer since");
            service.process().signal("CONT");
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(answer(List.of("status"))).startsWith("0"));
            service.process().signal("KILL");
            service.process().awaitExit(SOON);
        }
        for (List<String> question : QUESTIONS) {
            var unused = answer(question);
        }
        assertThat(answer(List.of("status")))
                .startsWith("1")
                .contains("no service runs on the data directory", "was killed, or the host failed, at about ");
        assertThat(answer(List.of("ledger"))).startsWith("0").contains("service: does not run");
        assertThat(answer(List.of("doctor", "--no-disk-test")))
                .contains("no service runs on the data directory", "the last one was killed");
    }

    @Test
    void positionsChangeWhileTheServiceRuns() throws Exception {
        try (Service service = Service.startWith(data(), "--config", config().toString())) {
            send(service, 7);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(out()).exists().content().hasLineCount(7));
            assertThat(answer(List.of("journal", "positions", "--set", "archive=0/5")))
                    .startsWith("0");
            await().atMost(SOON).untilAsserted(() -> assertThat(out()).content().hasLineCount(9));
            assertThat(answer(List.of("journal", "positions", "--set", "archive=0/8")))
                    .startsWith("2")
                    .contains("there is no 0/8");
            assertThat(answer(List.of("journal", "positions", "--set", "archive=tomorrow")))
                    .startsWith("2")
                    .contains("WHERE is begin, end, SHARD/SEQUENCE");
            assertThat(answer(List.of("journal", "positions", "--forget", "archive")))
                    .startsWith("2")
                    .contains("output archive runs");
            service.stop();
        }
    }
}
