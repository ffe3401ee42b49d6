package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.output.syslog.SyslogSettings.Format;
import io.millrace.output.syslog.SyslogSettings.Framing;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Forwards to syslog-ng, where there is one: messages that are to harm it close no connection. */
@Tag("once")
@Tag("full")
class SyslogNgIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private Process syslogNg;

    @AfterEach
    void stop() throws InterruptedException {
        if (syslogNg != null) {
            syslogNg.destroy();
            if (!syslogNg.waitFor(10, TimeUnit.SECONDS)) {
                syslogNg.destroyForcibly();
            }
        }
    }

    @Test
    void continuesAfterAnOversizedMessage() throws Exception {
        int port = start("syslog(ip(127.0.0.1) transport(\"tcp\")");
        deliver(SyslogSettings.builder().host("127.0.0.1").port(port).build());
    }

    @Test
    void continuesAfterAnOversizedLine() throws Exception {
        int port = start("network(ip(127.0.0.1) transport(\"tcp\")");
        deliver(SyslogSettings.builder()
                .host("127.0.0.1")
                .port(port)
                .format(Format.RAW)
                .framing(Framing.LINE_FEED)
                .build());
    }

    private void deliver(SyslogSettings settings) throws Exception {
        SyslogPeer.deliverHostile(directory, settings);
        Path out = directory.resolve("out");
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(SyslogPeer.numbers(Files.readString(out, ISO_8859_1)))
                        .isEqualTo(SyslogPeer.expected()));
    }

    private static Path program() {
        Path found = Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(each -> Path.of(each, "syslog-ng"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        if (found == null) {
            System.err.println("SyslogNgIT is left out: there is no syslog-ng");
        }
        assumeThat(found).isNotNull();
        return found;
    }

    /** Starts it with a source, which lacks its port and its last bracket; returns the port. */
    private int start(String source) throws Exception {
        Path program = program();
        int port = FreePort.next();
        Path configuration = directory.resolve("syslog-ng.conf");
        Files.writeString(
                configuration,
                "@version: 3.38\n"
                        + "source s { " + source + " port(" + port + ")); };\n"
                        + "destination d { file(\"" + directory.resolve("out") + "\"); };\n"
                        + "log { source(s); destination(d); };\n");
        Path log = directory.resolve("syslog-ng.log");
        syslogNg = new ProcessBuilder(
                        program.toString(),
                        "--foreground",
                        "--no-caps",
                        "--cfgfile=" + configuration,
                        "--persist-file=" + directory.resolve("persist"),
                        "--control=" + directory.resolve("ctl"),
                        "--pidfile=" + directory.resolve("pid"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        await().atMost(SOON).until(() -> {
            assertThat(syslogNg.isAlive()).as(Files.readString(log)).isTrue();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
        return port;
    }
}
