package io.millrace.sender;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a process of its own: a signal ends the JVM, and a limit on open files holds for all of it. */
class SendProcessIT {
    private static final int SIGTERM_STATUS = 128 + 15;

    @TempDir
    private Path folder;

    /** From JDK 24 on the JVM warns of what Netty does, unless it is told; the script and the jar tell it. */
    private static final String QUIET = Runtime.version().feature() < 24
            ? ""
            : " --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow";

    /** The class path without SLF4J, which ArchUnit needs and Netty would use if it is there. */
    private static final String CLASS_PATH = Stream.of(
                    System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("slf4j"))
            .collect(Collectors.joining(File.pathSeparator));

    /** Starts the command from a shell that may set a limit first. */
    private Process start(String limit, String arguments) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new ProcessBuilder(
                        "sh",
                        "-c",
                        limit + "exec \"$0\"" + QUIET + " -cp \"$1\" " + SendMain.class.getName() + " " + arguments,
                        java.toString(),
                        CLASS_PATH)
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile())
                .start();
    }

    private String written(String file) throws IOException {
        return Files.readString(folder.resolve(file), UTF_8);
    }

    private static int exitValue(Process process) throws InterruptedException {
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void signalEndsTheRunWithItsSummary() throws IOException, InterruptedException {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            socket.setSoTimeout(30_000);
            // The second datagram is due in a thousand seconds, so the signal meets a parked thread.
            String to = "127.0.0.1:" + socket.getLocalPort();
            Process process = start("", "--to " + to + " --rate 0.001 --duration 2h --json");
            try {
                socket.receive(new DatagramPacket(new byte[200], 200));
                process.destroy();
                assertThat(exitValue(process)).isEqualTo(SIGTERM_STATUS);
            } finally {
                process.destroyForcibly();
            }
        }
        assertThat(written("err")).contains("sent 1 datagram of 125 bytes").contains("(stopped)");
        JsonNode json = new ObjectMapper().readTree(written("out"));
        assertThat(json.get("sent").longValue()).isEqualTo(1);
    }

    /** The JDK's first close of a channel opens files; when none was left, it took the JVM down with a stack trace. */
    @Test
    void reportsMissingFileDescriptorsInOneLine() throws IOException, InterruptedException {
        Process process = start("ulimit -n 200; ", "--to 127.0.0.1:9 --sources 1000");
        try {
            assertThat(exitValue(process)).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
        assertThat(written("err"))
                .startsWith("millrace send: cannot open socket ")
                .contains(" of 1,000 to ")
                .contains("open files")
                .hasLineCount(1);
    }
}
