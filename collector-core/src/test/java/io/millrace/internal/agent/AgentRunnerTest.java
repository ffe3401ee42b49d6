package io.millrace.internal.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.collector.Counter;
import io.millrace.collector.Distribution;
import io.millrace.collector.Pinning;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentRunnerTest {
    @TempDir
    Path directory;

    private final FakeAgent agent = new FakeAgent();
    private ShardCells counters;
    private AgentRunner runner;

    @BeforeEach
    void prepare() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, 1).shard(0);
        runner = new AgentRunner(
                agent,
                work -> LockSupport.parkNanos(100_000),
                counters,
                Distribution.WRITER_CYCLE,
                Counter.WRITER_CYCLE_MAX_NS,
                Counter.WRITER_STALLS,
                Pinning.NONE,
                0);
    }

    @AfterEach
    void close() {
        runner.close();
    }

    /** An agent that throws the given exception once, and otherwise blocks for as long as the test wants. */
    private static final class FakeAgent implements Agent {
        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch inside = new CountDownLatch(1);
        volatile CountDownLatch hold = new CountDownLatch(0);
        volatile Throwable toThrow;
        volatile int work;
        volatile Thread thread;

        @Override
        public String roleName() {
            return "fake-7";
        }

        @Override
        public int doWork() {
            thread = Thread.currentThread();
            calls.incrementAndGet();
            inside.countDown();
            try {
                assertThat(hold.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Throwable thrown = toThrow;
            toThrow = null;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            return work;
        }
    }

    @Test
    void constructorStartsNothing() {
        assertThat(agent.calls).hasValue(0);
    }

    @Test
    void agentIsCalledInALoopOnAThreadNamedAfterIt() {
        runner.start();
        await().until(() -> agent.calls.get() > 100);
        assertThat(agent.thread.getName()).isEqualTo("millrace-fake-7");
    }

    @Test
    void throwingAgentIsCalledAgain() {
        agent.toThrow = new IllegalStateException("thrown by the test, as it should be");
        runner.start();
        await().until(() -> agent.toThrow == null && agent.calls.get() > 10);
        agent.toThrow = new InternalError("thrown by the test, as it should be");
        await().until(() -> agent.toThrow == null);
        int calls = agent.calls.get();
        await().until(() -> agent.calls.get() > calls + 10);
    }

    @Test
    void fatalErrorEndsTheThreadAndIsReported() {
        AtomicReference<String> reported = new AtomicReference<>();
        agent.toThrow = new OutOfMemoryError("thrown by the test, as it should be");
        NeededThreads threads = new NeededThreads((thread, e) -> reported.set(thread.getName() + " " + e));
        runner.start(threads);
        await().until(() -> reported.get() != null);
        assertThat(reported.get()).startsWith("millrace-fake-7 java.lang.OutOfMemoryError");
        await().until(() -> !agent.thread.isAlive());
        assertThat(agent.calls).hasValue(1);
        assertThat(threads.problem()).contains("millrace-fake-7", "thrown by the test");
    }

    @Test
    void threadThatEndsSilentlyIsReportedOnceAndOneThatIsClosedIsNot() throws InterruptedException {
        List<String> reported = new ArrayList<>();
        NeededThreads threads = new NeededThreads((thread, e) -> reported.add(thread.getName()));
        runner.start(threads);
        Thread silent = new Thread(threads.guarded(() -> {}), "silent");
        threads.add(silent);
        assertThat(reported).isEmpty();
        silent.start();
        silent.join();
        runner.close();
        assertThat(reported).containsExactly("silent");
    }

    @Test
    void closedThreadIsNeverReported() {
        List<String> reported = new ArrayList<>();
        NeededThreads threads = new NeededThreads((thread, e) -> reported.add(thread.getName()));
        for (int i = 0; i < 500; i++) {
            // It spins, so it ends in the moment in which it is told to.
            AgentRunner spinning = AgentRunner.daemon(agent, work -> Thread.onSpinWait());
            spinning.start(threads);
            spinning.close();
        }
        assertThat(reported).isEmpty();
    }

    @Test
    void threadThatStartsAfterTheReleaseIsNotReported() throws InterruptedException {
        List<String> reported = new ArrayList<>();
        NeededThreads threads = new NeededThreads((thread, e) -> reported.add(thread.getName()));
        threads.release();
        Thread late = new Thread(threads.guarded(() -> {}), "late");
        threads.add(late);
        late.start();
        late.join();
        assertThat(reported).isEmpty();
    }

    @Test
    void onlyCyclesWithWorkAreMeasured() {
        runner.start();
        await().until(() -> agent.calls.get() > 10);
        assertThat(counters.get(Counter.WRITER_CYCLE_MAX_NS)).as("idle cycles").isZero();
        agent.work = 1;
        await().until(() -> counters.get(Counter.WRITER_CYCLE_MAX_NS) > 0);
    }

    @Test
    void closeWaitsForTheCurrentCallAndEndsTheThread() throws InterruptedException {
        agent.hold = new CountDownLatch(1);
        runner.start();
        assertThat(agent.inside.await(10, TimeUnit.SECONDS)).isTrue();
        Thread closing = new Thread(runner::close, "closing");
        closing.start();
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        assertThat(agent.thread.isAlive()).isTrue();
        agent.hold.countDown();
        closing.join(10_000);
        assertThat(closing.isAlive()).isFalse();
        assertThat(agent.thread.isAlive()).isFalse();
        assertThat(agent.calls).hasValue(1);
    }

    /** Source tracking sleeps for its linger and then until something is appended: closing the collector took five seconds. */
    @Test
    void closeEndsEachSleepOfAnIdleStrategy() {
        AtomicInteger sleeps = new AtomicInteger();
        AgentRunner sleeper = AgentRunner.daemon(agent, work -> {
            for (int i = 0; i < 3; i++) {
                sleeps.incrementAndGet();
                LockSupport.parkNanos(TimeUnit.HOURS.toNanos(1));
            }
        });
        sleeper.start();
        await().until(() -> sleeps.get() > 0);
        sleeper.close();
        assertThat(agent.thread.isAlive()).isFalse();
    }

    @Test
    void closeCanBeCalledTwiceAndWithoutAStart() {
        runner.close();
        runner.close();
        assertThat(agent.calls).hasValue(0);
    }

    @Test
    void closeKeepsTheInterruptFlagOfItsCaller() {
        runner.start();
        await().until(() -> agent.calls.get() > 0);
        Thread.currentThread().interrupt();
        runner.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(agent.thread.isAlive()).isFalse();
    }
}
