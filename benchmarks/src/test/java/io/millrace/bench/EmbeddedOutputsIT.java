package io.millrace.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program of docs/embed/embedding.md that delivers to Kafka and to files, with a real broker. */
@Tag("calm")
@Tag("once")
@Timeout(300)
class EmbeddedOutputsIT {
    private static final Path PROGRAM = Path.of("../docs/embed/ToKafkaAndFiles.java");
    private static final int MAX_LINES = 25;

    @TempDir
    private Path directory;

    @Test
    void isShort() throws Exception {
        assertThat(Files.readAllLines(PROGRAM).stream().filter(line -> !line.isEmpty() && !line.startsWith("import ")))
                .hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void deliversToKafkaAndToFiles() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(directory.resolve("broker"))) {
            broker.makeTopic("logs", 1);
            List<String> command = Forked.java();
            String tests = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
            // The flags that Chronicle needs are those of this JVM.
            ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                    .filter(argument -> argument.startsWith("--add-"))
                    .forEach(command::add);
            command.addAll(List.of("-cp", tests, PROGRAM.toString(), "0", directory.toString(), broker.address()));
            Process program = new ProcessBuilder(command)
                    .redirectError(directory.resolve("errors").toFile())
                    .start();
            try (BufferedReader out = program.inputReader(UTF_8);
                    DatagramSocket socket = new DatagramSocket()) {
                String said = out.readLine();
                assertThat(said)
                        .as(Files.readString(directory.resolve("errors")))
                        .isNotNull();
                int port = Integer.parseInt(said.replaceFirst("port ", ""));
                byte[] message = "<13>Nov 21 10:00:00 web1 app: hello".getBytes(UTF_8);
                socket.send(new DatagramPacket(message, message.length, InetAddress.getLoopbackAddress(), port));
                Path file = directory.resolve("logs/web1.log");
                await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(file) && broker.endOffsets("logs") > 0);
                program.getOutputStream().close();
                assertThat(program.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(program.exitValue()).isZero();
                assertThat(Files.readString(file)).contains("\"message\":\"hello\"");
                List<String> records = new ArrayList<>();
                broker.readAll("logs", record -> records.add(new String(record.value(), UTF_8)));
                assertThat(records).singleElement().asString().contains("\"message\":\"hello\"");
            } finally {
                program.destroyForcibly();
            }
        }
    }
}
