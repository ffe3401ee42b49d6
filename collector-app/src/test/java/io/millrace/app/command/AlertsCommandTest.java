package io.millrace.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import io.millrace.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code alerts test} at webhooks and programs that answer, and at those that do not. */
@Timeout(60)
class AlertsCommandTest {
    private static final String KEY = "key-that-nobody-sees";

    @TempDir
    private Path directory;

    private final List<JsonNode> told = new CopyOnWriteArrayList<>();
    private HttpServer server;

    /** What a command did. */
    private record Result(int exitCode, List<String> out, String err) {}

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                told.add(new ObjectMapper().readTree(exchange.getRequestBody().readAllBytes()));
                boolean known = KEY.equals(exchange.getRequestHeaders().getFirst("X-Key"));
                exchange.sendResponseHeaders(known ? 204 : 401, -1);
            }
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private Path program(String script) throws IOException {
        Path program = Files.writeString(directory.resolve("program"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        return program;
    }

    private String webhook(String name, int port, String headers) {
        return "    " + name + ": {url: 'http://127.0.0.1:" + port + "/secret-path', headers: {" + headers + "}}";
    }

    private Path config(String... lines) throws IOException {
        return Files.writeString(directory.resolve("m.yaml"), "alerts:\n" + String.join("\n", lines) + "\n");
    }

    private static Result run(String... args) {
        PrintStream out = System.out;
        PrintStream err = System.err;
        ByteArrayOutputStream outBytes = new ByteArrayOutputStream();
        ByteArrayOutputStream errBytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(outBytes, true, UTF_8));
        System.setErr(new PrintStream(errBytes, true, UTF_8));
        try {
            int exitCode = Main.execute(args);
            return new Result(exitCode, outBytes.toString(UTF_8).lines().toList(), errBytes.toString(UTF_8));
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
    }

    private static Result test(Path config, String... names) {
        String[] args = {"alerts", "test", "--config", config.toString()};
        String[] all = java.util.Arrays.copyOf(args, args.length + names.length);
        System.arraycopy(names, 0, all, args.length, names.length);
        return run(all);
    }

    @Test
    void eachTargetGetsATestAndItsAnswerIsShown() throws IOException {
        Files.writeString(directory.resolve("key"), KEY);
        Path config = config(
                "  command: [" + program("cat > \"$1\"") + ", " + directory + "/out]",
                "  webhooks:",
                webhook("ops", server.getAddress().getPort(), "X-Key: '${file:" + directory + "/key}'"));
        Result result = test(config);
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .containsExactly(
                        "ok      webhooks.ops: HTTP 204",
                        "ok      command: " + directory + "/program ended with exit code 0");
        assertThat(told).hasSize(1);
        assertThat(told.get(0).get("kind").asText()).isEqualTo("test");
        assertThat(told.get(0).get("text").asText()).endsWith("firing: this is a test of the alerts, nothing is wrong");
        assertThat(new ObjectMapper().readTree(directory.resolve("out").toFile()))
                .isEqualTo(told.get(0));
        assertThat(test(config, "ops").out()).containsExactly("ok      webhooks.ops: HTTP 204");
        assertThat(test(config, "command").out()).hasSize(1);
        assertThat(run("alerts", "test", config.toString(), "command").out()).hasSize(1);
        assertThat(told).hasSize(2);
    }

    @Test
    void saysWhatFailedAndWhatToDo() throws IOException {
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        Path config = config(
                "  command: [" + program("exit 3") + "]",
                "  webhooks:",
                webhook("closed", closed, "X-Key: k"),
                webhook("wrong", server.getAddress().getPort(), "X-Key: " + KEY + "-old"));
        Result result = test(config);
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out())
                .containsExactlyInAnyOrder(
                        "FAILED  webhooks.closed: the connection was refused: does the server run, and is this its port?",
                        "FAILED  webhooks.wrong: HTTP 401 (user, password or token are wrong or missing)",
                        "FAILED  command: " + directory
                                + "/program ended with exit code 3: run it by hand, or look at what it printed");
        assertThat(String.join("", result.out()) + result.err()).doesNotContain("secret-path", KEY);
    }

    @Test
    void unknownNameAndMissingAlertsAreErrors() throws IOException {
        Path config = config("  webhooks:", webhook("ops", 1, ""));
        Result unknown = test(config, "dev");
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.err()).contains("there is no alert target 'dev' in " + config + ", only ops");
        Path none = Files.writeString(directory.resolve("none.yaml"), "inputs: {}\n");
        assertThat(test(none).exitCode()).isEqualTo(2);
        assertThat(test(none).err()).contains("none.yaml has no alerts: set alerts.webhooks or alerts.command");
    }

    @Test
    void connectCheckNamesTheCommandAndSendsNothing() throws IOException {
        Path config = config("  webhooks:", webhook("ops", server.getAddress().getPort(), ""));
        Result result = run("config", "check", "--connect", config.toString());
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains(
                        "skipped alerts: people would be told; this sends them a test: millrace alerts test " + config);
        assertThat(told).isEmpty();
    }
}
