package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.collector.Counter;
import io.millrace.collector.RetentionSettings;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.sink.Positions;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import io.millrace.sink.StartAt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sink that delivers a range of the journal, and is finished then. The test's thread runs everything. */
class RangeTest {
    private static final Instant START = Instant.parse("2026-11-21T08:00:00Z");

    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();
    private TestJournal journal;
    private Delivery delivery;

    @BeforeEach
    void open() throws IOException {
        // Each batch has its own file.
        journal = TestJournal.openRolling(root, 1, 2);
        for (int second = 0; second < 10; second++) {
            append(0, second);
        }
        // Nothing later than the range is in this shard.
        append(1, 4);
    }

    @AfterEach
    void close() throws IOException {
        Deliveries.end(delivery);
        journal.close();
    }

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }

    private void append(int shard, int second) {
        journal.append(
                shard, TestDatagram.of(shard + "/" + second).at(at(second).getEpochSecond() * 1_000_000_000L));
    }

    private void deliver(int from, @Nullable Integer to) throws IOException {
        deliver(at(from), to == null ? null : at(to));
    }

    private void deliver(Instant from, @Nullable Instant to) throws IOException {
        SinkSettings settings = SinkSettings.of("out")
                .retry(Duration.ofMillis(1), Duration.ofMillis(4))
                .from(StartAt.time(from))
                .to(to);
        delivery = Deliveries.of(settings, sink, root, journal);
        Deliveries.work(delivery);
    }

    private void assertIdle() {
        SinkStatus status = delivery.status();
        assertThat(status.finished()).isTrue();
        assertThat(status.pending()).isZero();
        assertThat(status.expired()).isZero();
        assertThat(status.lagNs()).isZero();
        assertThat(status.problem()).isNull();
        assertThat(status.counts()).isEqualTo(new Positions.Counts(4, 0, 0, 0));
        assertThat(sink.received).containsExactlyInAnyOrder("0/3", "0/4", "0/5", "1/4");
    }

    private int expire() throws IOException {
        return expire(RetentionSettings.Unread.KEEP);
    }

    private int expire(RetentionSettings.Unread unread) throws IOException {
        return Deliveries.expire(
                journal,
                delivery,
                Duration.ofSeconds(1),
                unread,
                () -> at(1_000_000).getEpochSecond() * 1_000_000_000L);
    }

    @Test
    void exactlyTheRangeIsDelivered() throws IOException {
        deliver(3, 6);
        assertIdle();
        append(0, 4);
        append(1, 20);
        Deliveries.work(delivery);
        assertIdle();
    }

    @Test
    void pendingIsWhatIsLeftOfTheRange() throws IOException {
        sink.answer = sink::hold;
        deliver(3, 6);
        SinkStatus status = delivery.status();
        assertThat(status.pending()).isEqualTo(4);
        assertThat(status.lagNs()).describedAs("old messages are no lag").isZero();
        assertThat(status.finished()).isFalse();
        assertThat(delivery.acknowledged().next()).containsExactly(3, 0);
        sink.answer = sink::take;
        sink.held.remove(0).done();
        Deliveries.work(delivery);
        sink.received.addAll(List.of("0/3", "0/4", "0/5", "1/4"));
        assertIdle();
    }

    @Test
    void finishedSinkHoldsNoRetentionAndMissesNothing() throws IOException {
        deliver(3, 6);
        Deliveries.end(delivery);
        assertThat(expire()).isEqualTo(9);
        append(0, 4);
        deliver(3, 6);
        assertIdle();
    }

    @Test
    void anotherEndContinues() throws IOException {
        deliver(3, 6);
        Deliveries.end(delivery);
        deliver(3, 8);
        assertThat(sink.received).containsExactlyInAnyOrder("0/3", "0/4", "0/5", "1/4", "0/6", "0/7");
        Deliveries.end(delivery);
        deliver(3, null);
        append(1, 30);
        Deliveries.work(delivery);
        assertThat(sink.received).contains("0/8", "0/9", "1/30").hasSize(9);
        assertThat(delivery.status().finished()).isFalse();
        assertThat(delivery.acknowledged().ends()).isNull();
    }

    /** The end is known from the first start on, also when the datagrams around it are gone. */
    @Test
    void onlyTheRangeIsMissingIfItIsDeleted() throws IOException {
        sink.answer = sink::hold;
        deliver(3, 6);
        delivery.stop(System.nanoTime());
        Deliveries.work(delivery);
        assertThat(expire(RetentionSettings.Unread.EXPIRE)).isEqualTo(9);
        assertThat(journal.counters().sum(Counter.EXPIRED_UNREAD_DATAGRAMS))
                .describedAs("not 9, and not those before the range")
                .isEqualTo(3);
        sink.answer = sink::take;
        sink.received.clear();
        deliver(3, 6);
        assertThat(sink.received).containsExactly("1/4");
        assertThat(delivery.status().counts()).isEqualTo(new Positions.Counts(1, 0, 0, 3));
        assertThat(delivery.status().finished()).isTrue();
        assertThat(delivery.status().expired()).isZero();
    }

    /** What a deleted datagram's time was is unknown: with a new end, missing is an upper bound. */
    @Test
    void laterEndMayCountTooManyAsMissing() throws IOException {
        deliver(3, 5);
        Deliveries.end(delivery);
        assertThat(expire()).isEqualTo(9);
        deliver(3, 7);
        assertThat(delivery.status().finished()).isTrue();
        assertThat(sink.received).containsExactlyInAnyOrder("0/3", "0/4", "1/4");
        // 5 and 6 are of the range; 7 and 8 are not, but nobody knows.
        assertThat(delivery.status().counts().missing()).isEqualTo(4);
    }

    @Test
    void newRangeThatIsDeletedIsFinishedAndMissesNothing() throws IOException {
        deliver(3, 5);
        Deliveries.end(delivery);
        assertThat(expire()).isEqualTo(9);
        assertThat(PositionFile.of(root, "out").delete()).isTrue();
        sink.received.clear();
        deliver(2, 4);
        assertThat(sink.received).isEmpty();
        assertThat(delivery.status().finished()).isTrue();
        assertThat(delivery.status().counts()).isEqualTo(Positions.Counts.NONE);
    }

    @Test
    void outputWaitsForAnEndInTheFuture() throws Exception {
        Instant soon = Instant.now().plusMillis(300);
        deliver(at(3), soon);
        assertThat(delivery.status().problem()).contains("has not passed by the clock of this host");
        assertThat(sink.received).isEmpty();
        OutputProgress waiting = delivery.acknowledged();
        assertThat(waiting.known()).isTrue();
        assertThat(waiting.next()).describedAs("its range is held").containsExactly(3, 0);
        append(1, 20);
        while (!delivery.status().finished() && Instant.now().isBefore(soon.plusSeconds(10))) {
            Thread.sleep(1);
            Deliveries.work(delivery);
        }
        assertThat(sink.received).hasSize(9).contains("1/20");
        assertThat(delivery.status().problem()).isNull();
    }

    @Test
    void endIsAfterTheStart() throws IOException {
        deliver(3, 6);
        SinkSettings settings = SinkSettings.of("out");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.from(StartAt.time(at(3))).to(at(3)))
                .withMessageContaining("to accepts a time after from");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.to(at(3)).from(StartAt.END))
                .withMessageContaining("with from end");
    }
}
