package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.FreePort;
import io.millrace.collector.Counter;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sockets that are passed as systemd passes them: what comes while no process runs waits for the next. */
@Tag("calm")
@Timeout(120)
@Tag("once")
class SocketActivationIT {
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Binds a socket, and keeps it; runs the rest of the command with it, again when there is a file of that name. */
    private static final String KEEPER = """
            import os, socket, sys, time
            port, again, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
            kept = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            kept.bind(("127.0.0.1", port))
            for run, admin in ("first", "off"), ("second", "127.0.0.1:0"):
                child = os.fork()
                if child == 0:
                    os.dup2(kept.fileno(), 3)
                    os.set_inheritable(3, True)
                    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
                    os.execvp(command[0], command + ["--admin", admin])
                print(run, child, flush=True)
                code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                print("ended with", code, flush=True)
                while not os.path.exists(again):
                    time.sleep(0.05)
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsPython() {
        Needs.program("python3");
    }

    private Forked keep(int port, String... options) {
        List<String> command =
                new ArrayList<>(List.of("python3", "-c", KEEPER, Integer.toString(port), again().toString()));
        command.addAll(Forked.command(List.of(), "collector-app/target/millrace.jar", "run"));
        command.addAll(List.of("--data", data().toString()));
        command.addAll(List.of(options));
        return Forked.start(command);
    }

    private Path again() {
        return directory.resolve("again");
    }

    private Path data() {
        return directory.resolve("data");
    }

    private static void send(int port, int count) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            byte[] payload = "datagram".getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < count; i++) {
                socket.send(new DatagramPacket(payload, payload.length, InetAddress.getLoopbackAddress(), port));
            }
        }
    }

    private static void stop(Forked keeper, String run) throws Exception {
        String line = keeper.awaitOut(text -> text.startsWith(run + " "), SOON);
        Forked.signal(Long.parseLong(line.substring(run.length() + 1)), "TERM");
    }

    @Test
    @Tag("full")
    void datagramsBetweenTwoProcessesWait() throws Exception {
        int port = FreePort.next();
        try (Forked keeper = keep(port, "--listen", "127.0.0.1:" + port, "--receivers", "1")) {
            keeper.awaitErr("admin off", SOON);
            send(port, 100);
            stop(keeper, "first");
            assertThat(keeper.awaitOut(line -> line.startsWith("ended"), SOON)).isEqualTo("ended with 0");
            send(port, 100);
            Files.createFile(again());
            keeper.awaitErr("admin http", SOON);
            send(port, 100);
            stop(keeper, "second");
            assertThat(keeper.awaitExit(SOON)).isZero();
        }
        assertThat(Service.counter(data(), Counter.JOURNALED_DATAGRAMS)).isEqualTo(300);
        assertThat(Service.counter(data(), Counter.RECEIVED_DATAGRAMS)).isEqualTo(300);
    }

    @Test
    void unreadSocketIsAnError() throws Exception {
        Files.createFile(again());
        int port = FreePort.next();
        try (Forked keeper = keep(port, "--listen", "127.0.0.1:0", "--receivers", "1")) {
            keeper.awaitErr("descriptor 3 (udp 127.0.0.1:" + port + ") was passed, and no input listens there", SOON);
            assertThat(keeper.awaitOut(line -> line.startsWith("ended"), SOON)).isEqualTo("ended with 1");
            assertThat(keeper.awaitExit(SOON)).isZero();
        }
    }

    @Test
    void moreReceiversThanSocketsIsAnErrorWithARemedy() throws Exception {
        Files.createFile(again());
        int port = FreePort.next();
        try (Forked keeper = keep(port, "--listen", "127.0.0.1:" + port, "--receivers", "2")) {
            keeper.awaitErr("with ReusePort=yes, or take as many receivers as sockets (receivers: 1)", SOON);
        }
    }
}
