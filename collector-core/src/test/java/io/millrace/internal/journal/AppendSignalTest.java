package io.millrace.internal.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class AppendSignalTest {
    private static final long FOREVER_NS = TimeUnit.HOURS.toNanos(1);

    @TempDir
    Path root;

    private TestJournal journal;
    private AppendSignal.Reader reader;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 2);
        reader = journal.appends().newReader();
        reader.mark();
    }

    @AfterEach
    void close() throws IOException {
        reader.close();
        reader.close();
        journal.close();
    }

    /** A thread that sleeps once. */
    private Thread sleeper(long bytes) {
        Thread thread = new Thread(() -> reader.await(bytes, FOREVER_NS), "sleeper");
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    @Test
    void appendToAnyShardEndsTheSleep() throws InterruptedException {
        Thread thread = sleeper(1);
        journal.appendNumbered(1, 1, 1);
        thread.join();
        assertThat(reader.hasGrown(1)).isTrue();
    }

    @Test
    void sleepsUntilEnoughWasAppended() throws InterruptedException {
        Thread thread = sleeper(5_000);
        while (!reader.hasGrown(5_000)) {
            assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
            journal.appendNumbered(0, 1, 10);
        }
        thread.join();
    }

    @Test
    void doesNotSleepIfItHasGrownSinceTheMark() {
        journal.appendNumbered(0, 1, 1);
        reader.await(1, FOREVER_NS);
        assertThat(reader.hasGrown(1)).isTrue();
    }

    @Test
    void markExcludesEarlierAppends() {
        journal.appendNumbered(0, 1, 1);
        reader.mark();
        assertThat(reader.hasGrown(1)).isFalse();
    }

    @Test
    void wakeEndsASleepWithoutThreshold() throws InterruptedException {
        Thread thread = sleeper(Long.MAX_VALUE);
        journal.appendNumbered(0, 3, 10);
        assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING);
        reader.wake();
        thread.join();
    }

    @Test
    void wakeEndsAllSleepsUntilTheNextMark() throws InterruptedException {
        reader.wake();
        reader.await(Long.MAX_VALUE, FOREVER_NS);
        reader.await(1, FOREVER_NS);
        reader.mark();
        Thread thread = sleeper(1);
        reader.wake();
        thread.join();
    }

    @Test
    void noWakeUpIsLost() throws InterruptedException {
        int appends = 2_000;
        AtomicInteger sleeps = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        long one = bytesOfOne();
        long end = journal.bytes(0) + appends * one;
        Thread thread = new Thread(
                () -> {
                    // A missed wake-up would take an hour.
                    while (journal.bytes(0) < end) {
                        reader.mark();
                        if (journal.bytes(0) < end) {
                            reader.await(1, FOREVER_NS);
                            sleeps.incrementAndGet();
                        }
                    }
                    done.countDown();
                },
                "reader");
        thread.start();
        for (int i = 0; i < appends; i++) {
            journal.append(0, TestJournal.numbered(0, 0, 1));
        }
        done.await();
        assertThat(sleeps.get()).isPositive();
    }

    /** Every batch of this test has the same length. */
    private long bytesOfOne() {
        long before = journal.bytes(0);
        journal.append(0, TestJournal.numbered(0, 0, 1));
        return journal.bytes(0) - before;
    }
}
