package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.journal.TestJournal;
import io.millrace.journal.Journal;
import io.millrace.sink.Output;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The log says when an output fails, and when it delivers again: after how long, and how far it was behind. */
class OutageLogTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    private Path root;

    private final Logger logger = (Logger) LoggerFactory.getLogger(Delivery.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final FakeSink failing = new FakeSink();
    private final FakeSink good = new FakeSink();

    @BeforeEach
    void listen() {
        failing.answer = batch -> {
            throw new IOException("no route");
        };
        logger.setLevel(Level.INFO);
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
        logger.setLevel(null);
    }

    private List<String> said() {
        return List.copyOf(lines.list).stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }

    private static Output output(Sink sink) {
        return new Output(
                SinkSettings.of("search").batches(10, 1024).retry(Duration.ofMillis(1), Duration.ofMillis(10)), sink);
    }

    private DeliveryStage start(TestJournal journal, Sink sink) throws IOException {
        DeliveryStage stage = new DeliveryStage(
                List.of(output(sink)),
                Journal.open(root),
                journal.counters(),
                journal.appends(),
                new NeededThreads((thread, e) -> {}));
        stage.start();
        return stage;
    }

    private static long soon() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    }

    @Test
    void outputThatRecoversSaysSo() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 10, 20);
            DeliveryStage stage = start(journal, failing);
            await().atMost(SOON).until(() -> !said().isEmpty());
            failing.answer = failing::take;
            await().atMost(SOON).until(() -> said().size() == 2);
            stage.stop(soon());
            assertThat(said().get(0)).isEqualTo("WARN Output search cannot deliver and retries: no route");
            assertThat(said().get(1)).matches("INFO Output search delivers again after .*; it was 200 messages behind");
        }
    }

    /** Somebody corrects the address and reloads: the output that delivers is another one of the same name. */
    @Test
    void outputThatRecoversByAReloadSaysSo() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            journal.appendNumbered(0, 10, 20);
            DeliveryStage stage = start(journal, failing);
            await().atMost(SOON).until(() -> !said().isEmpty());
            stage.change(Set.of(), List.of(output(good)), soon());
            await().atMost(SOON).until(() -> said().size() == 2);
            stage.stop(soon());
            assertThat(good.received).hasSize(200);
            assertThat(said().get(1)).matches("INFO Output search delivers again after .*; it was 200 messages behind");
        }
    }

    @Test
    void outputThatStillFailsAfterAReloadSaysNothingOfThat() throws IOException, InterruptedException {
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal, failing);
            journal.appendNumbered(0, 1, 3);
            await().atMost(SOON).until(() -> !said().isEmpty());
            FakeSink other = new FakeSink();
            other.answer = failing.answer;
            stage.change(Set.of(), List.of(output(other)), soon());
            Thread.sleep(200);
            stage.stop(soon());
            assertThat(said()).containsExactly("WARN Output search cannot deliver and retries: no route");
        }
    }
}
