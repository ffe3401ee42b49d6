package io.millrace.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/embedding.md shows is this program, and it works. Tests run in the folder of their module. */
class EmbeddingTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Path DOCUMENT = Path.of("..", "docs", "embedding.md");
    private static final Path PROGRAM = Path.of("src/test/java/io/millrace/example/EmbeddedCollector.java");
    private static final Pattern CODE_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OPENS = Pattern.compile("<jvm.opens>(.*)</jvm.opens>");
    private static final Pattern PORT = Pattern.compile("listening on port (\\d+)");

    @TempDir
    private Path directory;

    @Test
    void receivesJournalsPrintsAndAccounts() throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (DatagramSocket socket = new DatagramSocket()) {
            Future<?> program = thread.submit(() -> {
                EmbeddedCollector.run(new InetSocketAddress(loopback, 0), directory.resolve("data"), 1, out);
                return null;
            });
            await().atMost(SOON).until(() -> program.isDone() || port(output) > 0);
            byte[] payload = "hello embedded".getBytes(StandardCharsets.US_ASCII);
            socket.send(new DatagramPacket(payload, payload.length, loopback, port(output)));
            program.get(SOON.toSeconds(), TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
        assertThat(output.toString(StandardCharsets.UTF_8).lines().skip(1))
                .containsExactly(
                        "0:0 127.0.0.1 hello embedded",
                        "received 1 = journaled 1 + in flight 0; dropped at the socket 0");
    }

    private static int port(ByteArrayOutputStream output) {
        Matcher matcher = PORT.matcher(output.toString(StandardCharsets.UTF_8));
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    @Test
    void theDocumentShowsThisProgram() throws IOException {
        Matcher block = CODE_BLOCK.matcher(Files.readString(DOCUMENT));
        assertThat(block.find()).as("a java code block in " + DOCUMENT).isTrue();
        String program = Files.readString(PROGRAM);
        String belowPackage = program.substring(program.indexOf('\n') + 1).stripLeading();
        assertThat(block.group(1)).isEqualTo(belowPackage);
    }

    @Test
    void theDocumentNamesTheFlagsOfTheBuild() throws IOException {
        Matcher opens = OPENS.matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(opens.find()).as("jvm.opens in pom.xml").isTrue();
        String oneLine = Files.readString(DOCUMENT).replaceAll("\\s*\\\\\n\\s*", " ");
        assertThat(oneLine).contains(opens.group(1));
    }
}
