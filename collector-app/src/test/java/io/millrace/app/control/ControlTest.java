package io.millrace.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ControlTest {
    @TempDir
    private Path data;

    private @Nullable ControlServer server;

    private void start(Map<String, Supplier<Answer>> requests) {
        server = ControlServer.start(data, requests, Map.of("look at", name -> new Answer(0, name)));
    }

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void clientGetsTheCodeAndTheWholeText() throws IOException {
        String text = "line \u00e4\n".repeat(50_000);
        start(Map.of("status", () -> new Answer(0, text), "reload", () -> new Answer(2, "")));
        assertThat(ControlClient.ask(data, "status")).isEqualTo(new Answer(0, text));
        assertThat(ControlClient.ask(data, "reload")).isEqualTo(new Answer(2, ""));
    }

    @Test
    void unknownRequestNamesTheKnownOnes() throws IOException {
        start(Map.of("status", () -> new Answer(0, ""), "reload", () -> new Answer(0, "")));
        Answer answer = ControlClient.ask(data, "dance");
        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.text()).contains("does not know 'dance', only reload, status, look at NAME");
    }

    @Test
    void requestMayHaveAName() throws IOException {
        start(Map.of("status", () -> new Answer(0, "")));
        assertThat(ControlClient.ask(data, "look at kafka")).isEqualTo(new Answer(0, "kafka"));
        assertThat(ControlClient.ask(data, "look kafka").code()).isEqualTo(1);
    }

    @Test
    void failedRequestDoesNotEndTheServer() throws IOException {
        Supplier<Answer> fails = () -> {
            throw new IllegalStateException("no luck");
        };
        start(Map.of("bad", fails, "good", () -> new Answer(0, "fine")));
        assertThat(ControlClient.ask(data, "bad")).isEqualTo(new Answer(1, "no luck\n"));
        assertThat(ControlClient.ask(data, "good").text()).isEqualTo("fine");
    }

    @Test
    void onlyTheOwnerMayConnect() throws IOException {
        start(Map.of());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("control"))))
                .isEqualTo("rw-------");
        stop();
        assertThat(data.resolve("control")).doesNotExist();
    }

    @Test
    void withoutAServiceTheErrorSaysWhatToDo() {
        assertThatIOException()
                .isThrownBy(() -> ControlClient.ask(data, "status"))
                .withMessageContaining("no service runs on the data directory " + data)
                .withMessageContaining("--data");
    }
}
