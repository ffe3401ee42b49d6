package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.journal.Journal;
import io.millrace.sink.Output;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeliveryStageTest {
    @TempDir
    Path root;

    private final FakeSink good = new FakeSink();
    private final FakeSink bad = new FakeSink();

    private DeliveryStage start(TestJournal journal) throws IOException {
        DeliveryStage stage = new DeliveryStage(
                List.of(
                        new Output(SinkSettings.of("bad").batches(10, 1024), bad),
                        new Output(SinkSettings.of("good").batches(10, 1024), good)),
                Journal.open(root),
                journal.counters(),
                journal.appends(),
                new NeededThreads((thread, e) -> {}));
        stage.start();
        return stage;
    }

    private static Duration stop(DeliveryStage stage, Duration limit) {
        long begin = System.nanoTime();
        stage.stop(begin + limit.toNanos());
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private long next(String sink) throws IOException {
        return Objects.requireNonNull(PositionFile.of(root, sink).read()).next(0);
    }

    @Test
    void stopWaitsUntilAllRecordsAreDelivered() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal);
            journal.appendNumbered(0, 100, 20);
            stop(stage, Duration.ofSeconds(20));
            assertThat(good.received).hasSize(2000);
            assertThat(next("good")).isEqualTo(2000);
            assertThat(next("bad")).isEqualTo(2000);
            assertThat(good.closed).isTrue();
        }
    }

    @Test
    void outputIsMovedWhileOthersContinue() throws IOException {
        FakeSink again = new FakeSink();
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal);
            journal.appendNumbered(0, 10, 20);
            await().until(() -> stage.status().stream().allMatch(status -> status.pending() == 0));
            stage.move(
                    new Output(SinkSettings.of("bad").batches(10, 1024), again),
                    new long[] {150},
                    System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
            await().untilAsserted(() -> assertThat(again.received).hasSize(50));
            stop(stage, Duration.ofSeconds(5));
            assertThat(bad.closed).isTrue();
            assertThat(good.received).hasSize(200);
            assertThat(next("bad")).isEqualTo(200);
        }
    }

    @Test
    void outputsAreReplacedWhileOthersContinue() throws IOException {
        FakeSink other = new FakeSink();
        FakeSink late = new FakeSink();
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal);
            journal.appendNumbered(0, 10, 20);
            await().until(() -> stage.status().stream().allMatch(status -> status.pending() == 0));
            stage.change(
                    Set.of("good"),
                    List.of(
                            new Output(SinkSettings.of("bad").batches(10, 1024), other),
                            new Output(SinkSettings.of("late").batches(10, 1024), late)),
                    System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
            assertThat(bad.closed).isTrue();
            assertThat(good.closed).isFalse();
            journal.appendNumbered(0, 10, 20);
            await().until(() -> stage.status().stream().allMatch(status -> status.pending() == 0));
            assertThat(stage.status()).extracting(SinkStatus::name).containsExactly("good", "bad", "late");
            assertThat(good.received).hasSize(400);
            assertThat(bad.received).hasSize(200);
            assertThat(other.received).hasSize(200).doesNotContainAnyElementsOf(bad.received);
            assertThat(late.received).hasSize(400);

            stage.change(Set.of("good"), List.of(), System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
            assertThat(stage.status()).extracting(SinkStatus::name).containsExactly("good");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> stage.change(Set.of("gone"), List.of(), System.nanoTime()))
                    .withMessageContaining("gone");
            stop(stage, Duration.ofSeconds(20));
            assertThat(next("bad")).isEqualTo(400);
            assertThat(next("late")).isEqualTo(400);
        }
    }

    @Test
    void outputWakesUpForTheSummaryOfRepeats() throws IOException {
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal, SinkSettings.of("good").repeat(Duration.ofSeconds(1)));
            for (int i = 0; i < 3; i++) {
                journal.append(
                        0,
                        TestDatagram.of("down")
                                .at(TimeUnit.MILLISECONDS.toNanos(Instant.now().toEpochMilli())));
            }
            // Well below the longest sleep of an output without a reason.
            await().atMost(5, TimeUnit.SECONDS).until(() -> good.received.size() == 2);
            assertThat(good.received).containsExactly("down", "last message repeated 2 times");
            stop(stage, Duration.ofSeconds(20));
        }
    }

    private DeliveryStage start(TestJournal journal, SinkSettings settings) throws IOException {
        DeliveryStage stage = new DeliveryStage(
                List.of(new Output(settings, good)),
                Journal.open(root),
                journal.counters(),
                journal.appends(),
                new NeededThreads((thread, e) -> {}));
        stage.start();
        return stage;
    }

    /** A busy host may delay a message for as long as a linger of one second: one of ten must be in time. */
    @Test
    void messageAfterAPauseDoesNotWaitForItsLinger() throws Exception {
        Duration linger = Duration.ofSeconds(1);
        BlockingQueue<Long> sentNs = new LinkedBlockingQueue<>();
        good.answer = batch -> {
            sentNs.add(System.nanoTime());
            good.take(batch);
        };
        long fastestNs = Long.MAX_VALUE;
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal, SinkSettings.of("good").linger(linger));
            for (int i = 0; i < 10 && fastestNs >= linger.toNanos() / 2; i++) {
                TimeUnit.MILLISECONDS.sleep(linger.toMillis() + 100);
                long appendedNs = System.nanoTime();
                journal.appendNumbered(0, 1, 1);
                Long doneNs = sentNs.poll(10, TimeUnit.SECONDS);
                fastestNs = Math.min(fastestNs, Objects.requireNonNull(doneNs) - appendedNs);
            }
            stop(stage, Duration.ofSeconds(20));
        }
        assertThat(fastestNs).isLessThan(linger.toNanos() / 2);
    }

    @Test
    void messagesOfASteadyFlowAreSentOncePerLinger() throws Exception {
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal, SinkSettings.of("good").linger(Duration.ofMillis(50)));
            long beganNs = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                journal.appendNumbered(0, 1, 1);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            stop(stage, Duration.ofSeconds(20));
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
            assertThat(good.received).hasSize(1_000);
            // The first, the last, and one with each save of the positions.
            assertThat(good.sends).isLessThanOrEqualTo((int) (millis / 50 + millis / 1_000 + 4));
        }
    }

    /** The sink ignores interrupts too. The stop gives up on it, and the other sinks get everything. */
    @Test
    void hangingSinkDelaysNeitherOtherSinksNorTheStop() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        bad.answer = batch -> {
            if (bad.sends < 3) {
                bad.take(batch);
                return;
            }
            while (never.getCount() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
        };
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = start(journal);
            for (int i = 0; i < 50; i++) {
                journal.appendNumbered(0, 1, 20);
                TimeUnit.MILLISECONDS.sleep(1);
            }
            await().until(() -> stage.status().get(1).pending() == 0);
            assertThat(good.received).hasSize(1000);
            await().until(() -> stage.status().get(0).lagNs() > 500_000_000L);
            assertThat(stop(stage, Duration.ofSeconds(1))).isLessThan(Duration.ofSeconds(20));
            assertThat(next("good")).isEqualTo(1000);
            assertThat(next("bad")).isEqualTo(bad.received.size());
            assertThat(stage.status().get(0).pending()).isEqualTo(1000 - bad.received.size());
            never.countDown();
        }
    }

    /** The problem is reported when the first attempt fails, not only when the next one is due. */
    @Test
    void failedAttemptIsReportedAtOnce() throws IOException {
        bad.answer = batch -> {
            throw new IOException("refused");
        };
        try (TestJournal journal = TestJournal.open(root)) {
            DeliveryStage stage = new DeliveryStage(
                    List.of(new Output(
                            SinkSettings.of("bad")
                                    .linger(Duration.ofMillis(1))
                                    .retry(Duration.ofHours(1), Duration.ofHours(1)),
                            bad)),
                    Journal.open(root),
                    journal.counters(),
                    journal.appends(),
                    new NeededThreads((thread, e) -> {}));
            stage.start();
            journal.appendNumbered(0, 1, 1);
            await().until(() -> bad.sends == 1);
            await().atMost(Duration.ofMillis(500))
                    .until(() -> stage.status().get(0).problem() != null);
            stop(stage, Duration.ZERO);
        }
    }
}
