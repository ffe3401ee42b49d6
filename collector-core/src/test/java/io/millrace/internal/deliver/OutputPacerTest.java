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
    private long nowNs = 1_000_000_000;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root);
        pacer = pacer(LINGER);
    }

    private OutputPacer pacer(Duration linger) {
        OutputPacer created = new OutputPacer(
                journal.appends().newReader(),
                SinkSettings.of("out").batches(1000, 4096).linger(linger),
                () -> nowNs);
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

    private static long millis(Runnable task) {
        long startNs = System.nanoTime();
        task.run();
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    }

    /** A cycle of the output, which has read everything. */
    private void cycle() {
        pacer.begin();
        pacer.plan(Wait.MORE, LIMIT_NS);
    }

    @Test
    void doesNotSleepWhileThereIsMoreToRead() {
        pacer.plan(Wait.NONE, LIMIT_NS);
        assertThat(millis(() -> pacer.idle(1))).isLessThan(LINGER.toMillis());
    }

    @Test
    void readsNewMessagesOncePerLinger() {
        assertThat(pacer.readableInNs()).as("the first").isNotPositive();
        journal.appendNumbered(0, 1, 1);
        cycle();
        assertThat(pacer.readableInNs()).as("one that follows").isEqualTo(LINGER.toNanos());
        nowNs += LINGER.toNanos() - 1;
        cycle();
        assertThat(pacer.readableInNs())
                .as("after a cycle that read nothing, for an answer of the sink")
                .isEqualTo(1);
        nowNs += 1;
        assertThat(pacer.readableInNs()).as("after a pause").isNotPositive();
        journal.appendNumbered(0, 1, 1);
        cycle();
        assertThat(pacer.readableInNs()).isEqualTo(LINGER.toNanos());
    }

    @Test
    void sleepOfASteadyFlowIsTheLinger() {
        int cycles = 0;
        long endNs = nowNs + TimeUnit.SECONDS.toNanos(10);
        for (; nowNs < endNs; nowNs += TimeUnit.MILLISECONDS.toNanos(1)) {
            journal.appendNumbered(0, 1, 1);
            if (pacer.readableInNs() <= 0) {
                cycle();
                cycles++;
            }
        }
        assertThat(cycles).as("of 10,000 messages, one per millisecond").isEqualTo(50);
    }

    @Test
    void aLingerBeyondASecondIsReadEachSecond() {
        pacer.close();
        pacer = pacer(Duration.ofMinutes(2));
        journal.appendNumbered(0, 1, 1);
        cycle();
        assertThat(pacer.readableInNs()).isEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void messagesThatFollowLinger() {
        journal.appendNumbered(0, 1, 1);
        cycle();
        journal.appendNumbered(0, 1, 1);
        assertThat(millis(() -> pacer.idle(1))).isGreaterThanOrEqualTo(LINGER.toMillis());
    }

    @Test
    void fullBatchEndsTheLinger() {
        pacer.close();
        pacer = pacer(Duration.ofSeconds(1));
        journal.appendNumbered(0, 1, 1);
        cycle();
        // The clock of the pacer: the linger would take a minute.
        nowNs -= TimeUnit.MINUTES.toNanos(1);
        journal.appendNumbered(0, 1, 400);
        assertThat(millis(() -> pacer.idle(1))).isLessThan(30_000);
    }

    @Test
    void firstMessageAfterAPauseEndsTheSleep() throws InterruptedException {
        Thread thread = idle(Wait.MORE);
        long startNs = System.nanoTime();
        journal.appendNumbered(0, 1, 1);
        thread.join();
        assertThat(System.nanoTime() - startNs).isLessThan(LIMIT_NS / 2);
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
        journal.appendNumbered(0, 1, 1);
        cycle();
        pacer.answered();
        assertThat(millis(() -> pacer.idle(1))).isGreaterThanOrEqualTo(LINGER.toMillis());
    }

    @Test
    void wakeEndsEverySleep() throws InterruptedException {
        for (Wait wait : new Wait[] {Wait.MORE, Wait.RETRY}) {
            Thread thread = idle(wait);
            pacer.wake();
            thread.join();
        }
    }
}
