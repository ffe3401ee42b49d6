package io.millrace.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.journal.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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

    /** The next command is answered, or hears that another one takes long. */
    @Test
    void answerThatTakesLongIsNotWaitedFor() throws IOException {
        CountDownLatch done = new CountDownLatch(1);
        Supplier<Answer> slow = () -> {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(3));
            done.countDown();
            return new Answer(0, "changed");
        };
        start(Map.of("slow", slow));
        // Held by this process, whose state is known.
        try (DataDirectory held = DataDirectory.open(data)) {
            long startNs = System.nanoTime();
            assertThatExceptionOfType(NoAnswerException.class)
                    .isThrownBy(() -> ControlClient.ask(held.root(), "slow"))
                    .withMessageStartingWith(
                            "process " + ProcessHandle.current().pid() + " does not answer")
                    .withMessageContaining("it is busy with another command, or it hangs");
            assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.SECONDS.toNanos(2));
            await().until(() -> done.getCount() == 0);
            assertThat(ControlClient.change(held.root(), "slow")).isEqualTo(new Answer(0, "changed"));
        }
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
