package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.deliver.OutputPacer.Wait;
import io.millrace.internal.journal.TestJournal;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class OutputPacerTest {
    private static final Duration LINGER = Duration.ofMillis(200);
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    @TempDir
    Path root;

    private TestJournal journal;
    private OutputPacer pacer;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root);
        pacer = pacer(LINGER);
    }

    private OutputPacer pacer(Duration linger) {
        OutputPacer created = new OutputPacer(
                journal.appends().newReader(),
                SinkSettings.of("out").batches(1000, 4096).linger(linger));
        created.begin();
        return created;
    }

    @AfterEach
    void close() throws IOException {
        pacer.close();
        journal.close();
    }

    private Thread idle(Wait wait) {
        Thread thread = new Thread(
                () -> {
                    pacer.begin();
                    pacer.plan(wait, LIMIT_NS);
                    pacer.idle(0);
                },
                "idle");
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long millis(Runnable task) {
        long startNs = System.nanoTime();
        task.run();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    @Test
    void doesNotSleepWhileThereIsMoreToRead() {
        pacer.plan(Wait.NONE, LIMIT_NS);
        assertThat(millis(() -> pacer.idle(1))).isLessThan(LINGER.toMillis());
    }

    @Test
    void lingersIfSomethingWasAppended() {
        journal.appendNumbered(0, 1, 1);
        pacer.plan(Wait.LINGER, LIMIT_NS);
        assertThat(millis(() -> pacer.idle(1))).isGreaterThanOrEqualTo(LINGER.toMillis());
    }

    @Test
    void fullBatchEndsTheLinger() {
        pacer.close();
        pacer = pacer(Duration.ofSeconds(10));
        Thread thread = idle(Wait.LINGER);
        assertThat(millis(() -> {
                    journal.appendNumbered(0, 1, 400);
                    join(thread);
                }))
                .isLessThan(5_000);
    }

    @Test
    void firstMessageAfterAPauseLingers() throws InterruptedException {
        Thread thread = idle(Wait.GROWTH);
        long startNs = System.nanoTime();
        journal.appendNumbered(0, 1, 1);
        thread.join();
        assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isBetween(LINGER, Duration.ofSeconds(9));
    }

    @Test
    void sinkAnswerEndsTheWaitForAnAnswer() throws InterruptedException {
        Thread thread = idle(Wait.ANSWER);
        pacer.answered();
        thread.join();
    }

    @Test
    void answerBeforeTheWaitPreventsTheSleep() {
        pacer.answered();
        pacer.plan(Wait.ANSWER, LIMIT_NS);
        assertThat(millis(() -> pacer.idle(0))).isLessThan(1_000);
    }

    @Test
    void answerDoesNotEndTheLinger() {
        pacer.plan(Wait.LINGER, LINGER.toNanos());
        pacer.answered();
        assertThat(millis(() -> pacer.idle(1))).isGreaterThanOrEqualTo(LINGER.toMillis());
    }

    @Test
    void wakeEndsEverySleep() throws InterruptedException {
        for (Wait wait : new Wait[] {Wait.LINGER, Wait.GROWTH, Wait.RETRY}) {
            Thread thread = idle(wait);
            pacer.wake();
            thread.join();
        }
    }
}
