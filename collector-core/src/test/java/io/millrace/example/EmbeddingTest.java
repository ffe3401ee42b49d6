package io.millrace.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.collector.Collector;
import io.millrace.sink.SinkSettings;
import io.millrace.transport.DatagramReaderProvider;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs of docs/embed/embedding.md work, and the page has their current source. Tests run in the folder of their module. */
class EmbeddingTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Path DOCUMENT = Path.of("..", "docs", "embed", "embedding.md");
    private static final Path PROGRAMS = Path.of("src/test/java/io/millrace/example");
    private static final Pattern CODE_BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern OPENS = Pattern.compile("<jvm.opens>(.*)</jvm.opens>");
    private static final Pattern PORT = Pattern.compile("listening on port (\\d+)");

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);

    /** A program that listens on this address, and ends by itself. */
    private interface Program {
        void run(InetSocketAddress address) throws IOException;
    }

    /** Sends a datagram to a program once it listens. Returns what the program printed after that. */
    private List<String> printedBy(Program example) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (DatagramSocket socket = new DatagramSocket()) {
            Future<?> program = thread.submit(() -> {
                example.run(new InetSocketAddress(loopback, 0));
                return null;
            });
            await().atMost(SOON).until(() -> program.isDone() || port() > 0);
            send(socket, "hello embedded".getBytes(StandardCharsets.US_ASCII));
            program.get(SOON.toSeconds(), TimeUnit.SECONDS);
        } finally {
            thread.shutdownNow();
        }
        return output.toString(StandardCharsets.UTF_8).lines().skip(1).toList();
    }

    private void send(DatagramSocket socket, byte[] payload) throws IOException {
        socket.send(new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), port()));
    }

    @Test
    void receivesJournalsPrintsAndAccounts() throws Exception {
        assertThat(printedBy(address -> EmbeddedCollector.run(address, directory.resolve("data"), 1, "auto", out)))
                .containsExactly(
                        "0:0 127.0.0.1 hello embedded",
                        "received 1 = journaled 1 + in flight 0; dropped at the socket 0");
    }

    @Test
    void metricsAreInTheRegistryOfTheProgram() throws Exception {
        MeterRegistry registry = new SimpleMeterRegistry();
        assertThat(printedBy(address -> MeteredCollector.run(address, directory.resolve("data"), 1, registry, out)))
                .containsExactly("received 1", "journaled 1", "crash 0");
    }

    @Test
    void deliversToAnOutputOfTheProgram() throws Exception {
        try (DatagramSocket socket = new DatagramSocket();
                Collector collector = Collector.builder()
                        .listen("example", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .journal(directory.resolve("data"))
                        .deliver(SinkSettings.of("printer"), new Printer(out))
                        .build()
                        .start()) {
            out.println("listening on port " + collector.addresses().get(0).getPort());
            send(socket, "<13>to be printed".getBytes(StandardCharsets.US_ASCII));
            await().atMost(SOON)
                    .until(() -> output.toString(StandardCharsets.UTF_8)
                            .lines()
                            .skip(1)
                            .toList()
                            .equals(List.of("<13>to be printed")));
        }
    }

    @Test
    void handlesFieldsOfMessagesThatMatch() throws Exception {
        try (DatagramSocket socket = new DatagramSocket();
                Collector collector = FailedLogins.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), directory.resolve("data"), out)) {
            out.println("listening on port " + collector.addresses().get(0).getPort());
            send(socket, "<13>Nov 21 10:00:00 web1 cron: hello".getBytes(StandardCharsets.US_ASCII));
            send(
                    socket,
                    "<38>Nov 21 10:00:01 web1 sshd[7]: Failed password for root".getBytes(StandardCharsets.US_ASCII));
            await().atMost(SOON)
                    .until(() -> output.toString(StandardCharsets.UTF_8)
                            .lines()
                            .skip(1)
                            .toList()
                            .toString()
                            .matches("\\[sshd of web1 at 20.*Z: Failed password for root]"));
        }
    }

    /** Chronicle's own error does not say which flags are missing. */
    @Test
    void missingFlagsAreNamed() throws Exception {
        List<String> command = new ArrayList<>(
                command(directory, "0", directory.resolve("data").toString(), "1"));
        command.removeIf(argument -> argument.startsWith("--add") || argument.startsWith("java.base/"));
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        assertThat(program.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(directory.resolve("output")))
                .contains("java.io.IOException: Chronicle Queue needs access to packages of the JDK: start java with "
                        + flags());
    }

    /** Runs in its own process, because only its class path may register the provider as a service. */
    @Test
    void transportOfTheProgramReadsTheSourceFromAProxyHeader() throws Exception {
        Path services = Files.createDirectories(directory.resolve("services/META-INF/services"));
        Files.writeString(
                services.resolve(DatagramReaderProvider.class.getName()), ProxiedTransport.class.getName() + "\n");
        Process program = new ProcessBuilder(command(
                        directory.resolve("services"),
                        "0",
                        directory.resolve("data").toString(),
                        "2",
                        "proxied"))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        try (DatagramSocket socket = new DatagramSocket()) {
            await().atMost(SOON).until(() -> {
                output.reset();
                output.write(Files.readAllBytes(directory.resolve("output")));
                return !program.isAlive() || port() > 0;
            });
            byte[] payload = "hello proxied".getBytes(StandardCharsets.US_ASCII);
            // 203.0.113.7 as an IPv4-mapped address, the proxy's, and the ports 514 and 5140.
            byte[] header = HexFormat.of()
                    .parseHex("56ec" + "00000000000000000000ffffcb007107" + "00000000000000000000ffff7f000001"
                            + "02021414");
            send(
                    socket,
                    ByteBuffer.allocate(header.length + payload.length)
                            .put(header)
                            .put(payload)
                            .array());
            send(socket, "of the proxy".getBytes(StandardCharsets.US_ASCII));
            assertThat(program.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            program.destroyForcibly();
        }
        assertThat(Files.readAllLines(directory.resolve("output")))
                .contains(
                        "0:0 203.0.113.7 hello proxied",
                        "0:1 127.0.0.1 of the proxy",
                        "received 2 = journaled 2 + in flight 0; dropped at the socket 0");
    }

    private static List<String> command(Path services, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags().split(" ")));
        command.addAll(List.of(
                "-cp",
                services + File.pathSeparator + System.getProperty("java.class.path"),
                EmbeddedCollector.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    private int port() {
        Matcher matcher = PORT.matcher(output.toString(StandardCharsets.UTF_8));
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : -1;
    }

    @Test
    void documentShowsThesePrograms() throws IOException {
        List<String> shown = new ArrayList<>();
        Matcher block = CODE_BLOCK.matcher(Files.readString(DOCUMENT));
        while (block.find()) {
            shown.add(block.group(1));
        }
        List<String> programs = new ArrayList<>();
        for (Class<?> program : List.of(
                EmbeddedCollector.class,
                FailedLogins.class,
                Printer.class,
                MeteredCollector.class,
                ProxiedTransport.class)) {
            String source = Files.readString(PROGRAMS.resolve(program.getSimpleName() + ".java"));
            programs.add(source.substring(source.indexOf('\n') + 1).stripLeading());
        }
        programs.add(1, Files.readString(DOCUMENT.resolveSibling("ToKafkaAndFiles.java")));
        assertThat(shown).as("java code blocks in " + DOCUMENT).isEqualTo(programs);
    }

    @Test
    void documentHasTheJvmFlagsOfTheBuild() throws IOException {
        String oneLine = Files.readString(DOCUMENT).replaceAll("\\s*\\\\\n\\s*", " ");
        assertThat(oneLine).contains(flags());
    }

    private static String flags() throws IOException {
        Matcher opens = OPENS.matcher(Files.readString(Path.of("..", "pom.xml")));
        assertThat(opens.find()).as("jvm.opens in pom.xml").isTrue();
        return opens.group(1);
    }
}
