package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.TestCertificate;
import io.millrace.collector.Collector;
import io.millrace.output.syslog.SyslogSettings.Format;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.output.syslog.SyslogSettings.Transport;
import io.millrace.sink.SinkSettings;
import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forwards to rsyslog, where there is one, and compares what it wrote. */
@Tag("once")
class RsyslogIT {
    private static final int COUNT = 500;
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Process rsyslog;

    @AfterEach
    void stop() throws InterruptedException {
        if (rsyslog != null) {
            rsyslog.destroy();
            if (!rsyslog.waitFor(10, TimeUnit.SECONDS)) {
                rsyslog.destroyForcibly();
            }
        }
    }

    @Test
    void rsyslogReceivesOverTcp() throws Exception {
        int port = start("", "");
        deliver(SyslogSettings.builder()
                .host("127.0.0.1")
                .port(port)
                .keepSource(true)
                .build());
    }

    @Test
    void rsyslogReceivesLines() throws Exception {
        int port = start("", "");
        deliver(SyslogSettings.builder()
                .host("127.0.0.1")
                .port(port)
                .framing(Framing.LINE_FEED)
                .keepSource(true)
                .build());
    }

    @Test
    void rsyslogReceivesOverTls() throws Exception {
        String driver = driver();
        TestCertificate certificate = new TestCertificate(directory, "rsyslog", "IP:127.0.0.1");
        int port = start(
                "global(DefaultNetstreamDriverCAFile=\"" + certificate.certificateFile()
                        + "\" DefaultNetstreamDriverCertFile=\"" + certificate.certificateFile()
                        + "\" DefaultNetstreamDriverKeyFile=\"" + certificate.keyFile() + "\")\n",
                " StreamDriver.Name=\"" + driver + "\" StreamDriver.Mode=\"1\" StreamDriver.AuthMode=\"anon\"");
        deliver(SyslogSettings.builder()
                .host("127.0.0.1")
                .port(port)
                .transport(Transport.TLS)
                .keepSource(true)
                .caFile(certificate.certificateFile())
                .build());
    }

    @Test
    void continuesAfterAnOversizedMessage() throws Exception {
        int port = start("", "");
        deliverHostile(SyslogSettings.builder().host("127.0.0.1").port(port).build());
    }

    @Test
    void continuesAfterALineThatLooksLikeALength() throws Exception {
        int port = start("", "");
        deliverHostile(SyslogSettings.builder()
                .host("127.0.0.1")
                .port(port)
                .format(Format.RAW)
                .framing(Framing.LINE_FEED)
                .build());
    }

    private void deliverHostile(SyslogSettings settings) throws Exception {
        Path out = directory.resolve("out");
        long delivered = SyslogPeer.deliverHostile(directory, settings);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(SyslogPeer.numbers(Files.readString(out, ISO_8859_1)))
                        .isEqualTo(SyslogPeer.expected()));
        assertThat(Files.readAllLines(out, ISO_8859_1))
                .as("no piece of a message is taken for another")
                .hasSize((int) delivered);
    }

    private static Path program() {
        Path found = Stream.concat(
                        Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)), Stream.of("/usr/sbin"))
                .map(each -> Path.of(each, "rsyslogd"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (found == null) {
            System.err.println("RsyslogIT is left out: there is no rsyslogd");
        }
        assumeThat(found).isNotNull();
        return found;
    }

    /** The module of rsyslog that does TLS. */
    private static String driver() throws IOException {
        for (String name : List.of("ossl", "gtls")) {
            for (Path lib : List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"))) {
                if (Files.isDirectory(lib)) {
                    try (Stream<Path> files =
                            Files.find(lib, 3, (path, about) -> path.endsWith("rsyslog/lmnsd_" + name + ".so"))) {
                        if (files.findAny().isPresent()) {
                            return name;
                        }
                    }
                }
            }
        }
        System.err.println("RsyslogIT over TLS is left out: rsyslog has neither the module lmnsd_ossl nor lmnsd_gtls");
        assumeThat(false).as("rsyslog can do TLS").isTrue();
        return "";
    }

    /** Starts rsyslog, which writes what it got into a file; returns its port. */
    private int start(String global, String module) throws Exception {
        Path program = program();
        int port = FreePort.next();
        Path configuration = directory.resolve("rsyslog.conf");
        Files.writeString(
                configuration,
                "global(workDirectory=\"" + directory + "\")\n" + global
                        + "module(load=\"imtcp\"" + module + ")\n"
                        + "template(name=\"t\" type=\"string\" string=\"%pri% %hostname% %app-name%"
                        + " %structured-data%%msg%\\n\")\n"
                        + "ruleset(name=\"r\") { action(type=\"omfile\" file=\"" + directory.resolve("out")
                        + "\" template=\"t\") }\n"
                        + "input(type=\"imtcp\" address=\"127.0.0.1\" port=\"" + port + "\" ruleset=\"r\")\n");
        Path log = directory.resolve("rsyslog.log");
        rsyslog = new ProcessBuilder(
                        program.toString(),
                        "-n",
                        "-f",
                        configuration.toString(),
                        "-i",
                        directory.resolve("pid").toString())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(SOON).until(() -> {
            assertThat(rsyslog.isAlive()).as(Files.readString(log)).isTrue();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        return port;
    }

    private void deliver(SyslogSettings settings) throws Exception {
        List<String> expected = new ArrayList<>();
        try (Collector collector = Collector.builder()
                        .listen("syslog", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .journal(directory.resolve("data"))
                        .transport("nio")
                        .receivers(1)
                        .deliver(SinkSettings.of("rsyslog"), settings.sink("rsyslog"))
                        .build()
                        .start();
                DatagramSocket socket = new DatagramSocket()) {
            for (int i = 0; i < COUNT; i++) {
                String text = "n=" + i + "; \u00e4 ".repeat(1 + i % 100) + ".";
                byte[] payload =
                        ("<34>1 2026-11-21T10:00:00Z host app - - [a@1 b=\"" + i + "\"] " + text).getBytes(UTF_8);
                socket.send(new DatagramPacket(
                        payload, payload.length, collector.addresses().get(0)));
                expected.add("34 host app [millrace@32473 source=\"127.0.0.1\" port=\"" + socket.getLocalPort()
                        + "\" input=\"syslog\" shard=\"0\" sequence=\"" + i + "\"][a@1 b=\"" + i + "\"]" + text);
                if (i % 50 == 0) {
                    Thread.sleep(5);
                }
            }
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(collector.outputs().get(0).counts().acked())
                                    .as(collector.outputs().get(0).toString())
                                    .isEqualTo(COUNT));
        }
        Path out = directory.resolve("out");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(Files.readAllLines(out)).hasSize(COUNT));
        assertThat(Files.readAllLines(out)).isEqualTo(expected);
    }
}
