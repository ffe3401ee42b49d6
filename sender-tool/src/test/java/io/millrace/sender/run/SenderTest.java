package io.millrace.sender.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sender.command.ProgressLine;
import io.millrace.sender.payload.PayloadPattern;
import io.millrace.sender.payload.PayloadSizes;
import io.millrace.sender.payload.SequencePayload;
import io.millrace.sender.schedule.Rate;
import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.schedule.SourceLayout;
import io.millrace.sender.schedule.StepSchedule;
import io.millrace.sender.transmit.FatalSendException;
import io.millrace.sender.transmit.SendCounts;
import io.millrace.sender.transmit.Transmitter;
import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The run itself, with a fake clock and a fake transmitter. */
class SenderTest {
    private static final int RUN = 0xcafe;
    private static final long MILLI = 1_000_000;

    private final FakeClock clock = new FakeClock(42);
    private final FakeTransmitter transmitter = new FakeTransmitter();

    /** A datagram that was passed to the transmitter, and when. */
    private record Passed(int source, long sequence, long intendedMicros, long atNanos) {}

    private final class FakeTransmitter implements Transmitter {
        final List<Passed> passed = new ArrayList<>();
        final Queue<IOException> failures = new ArrayDeque<>();
        final SequencePayload payload = new SequencePayload();
        long takesNanos;
        Runnable afterEach = () -> {};
        long lastRefused;

        @Override
        public void send(int source, ByteBuffer datagram) throws IOException {
            IOException failure = failures.poll();
            if (failure != null) {
                throw failure;
            }
            assertThat(payload.decode(datagram, 0, datagram.remaining())).isTrue();
            assertThat(payload.runId()).isEqualTo(RUN);
            assertThat(payload.source()).isEqualTo(source);
            datagram.position(datagram.limit());
            passed.add(new Passed(source, payload.sequence(), payload.intendedTimeMicros(), clock.now - 42));
            clock.now += takesNanos;
            afterEach.run();
        }

        @Override
        public void collectErrors(int thread, int threads, SendCounts counts) {
            counts.countRefused(lastRefused);
        }

        @Override
        public void close() {}
    }

    private SendRun sender(SendPlan plan) {
        return new SendRun(
                plan, () -> PayloadPattern.SEQUENCE.payloads(PayloadSizes.of(40), 1, RUN), transmitter, clock);
    }

    private static SendPlan count(String rate, long count, int sources) {
        return SendPlan.ofCount(Rate.parse(rate), count, new SourceLayout(sources, 1, 1, 1, sources), RUN);
    }

    private static SendPlan duration(String rate, long millis) {
        return SendPlan.ofDuration(Rate.parse(rate), Duration.ofMillis(millis), new SourceLayout(1, 1, 1, 1, 1), RUN);
    }

    @Test
    void sourcesSendRoundRobinWithTheirOwnSequences() throws IOException {
        SendResult result = sender(count("1k", 7, 3)).run();
        assertThat(result.counts().sent).isEqualTo(7);
        assertThat(transmitter.passed).extracting(Passed::source).containsExactly(0, 1, 2, 0, 1, 2, 0);
        assertThat(transmitter.passed).extracting(Passed::sequence).containsExactly(0L, 0L, 0L, 1L, 1L, 1L, 2L);
    }

    @Test
    void sendsEachDatagramAtItsDueTime() throws IOException {
        SendResult result = sender(count("1k", 100, 1)).run();
        long start = clock.epochMicros & 0xffff_ffffL;
        for (int n = 0; n < 100; n++) {
            assertThat(transmitter.passed.get(n).atNanos()).isEqualTo(n * MILLI);
            assertThat(transmitter.passed.get(n).intendedMicros()).isEqualTo(start + n * 1000L);
        }
        assertThat(result.achievedRate()).isEqualTo(1000);
        assertThat(result.missedPercent()).isZero();
        assertThat(result.elapsedSeconds()).isEqualTo(0.1);
        assertThat(result.counts().late).isZero();
        assertThat(result.complaint(0)).isNull();
    }

    @Test
    void intendedTimeWrapsAt32Bits() throws IOException {
        clock.epochMicros = 0x7_ffff_ffffL;
        sender(count("1M", 2, 1)).run();
        assertThat(transmitter.passed).extracting(Passed::intendedMicros).containsExactly(0xffff_ffffL, 0L);
    }

    @Test
    void catchesUpAfterAStallWithTheIntendedTimes() throws IOException {
        transmitter.afterEach = () -> clock.now += transmitter.passed.size() == 10 ? 20 * MILLI : 0;
        SendResult result = sender(count("1k", 100, 1)).run();
        long first = transmitter.passed.get(0).intendedMicros();
        assertThat(transmitter.passed.get(10).atNanos()).isEqualTo(29 * MILLI);
        assertThat(transmitter.passed.get(29).atNanos()).isEqualTo(29 * MILLI);
        assertThat(transmitter.passed.get(10).intendedMicros()).isEqualTo(first + 10_000);
        assertThat(transmitter.passed.get(99).atNanos()).isEqualTo(99 * MILLI);
        // The one whose send took so long was the latest.
        assertThat(result.counts().maxLateNanos).isEqualTo(20 * MILLI);
        assertThat(result.counts().late).isEqualTo(19);
        assertThat(result.missedPercent()).isZero();
    }

    @Test
    void durationSendsTheDatagramsDueInIt() throws IOException {
        SendResult result = sender(duration("100", 1000)).run();
        assertThat(result.counts().sent).isEqualTo(100);
        assertThat(result.elapsedSeconds()).isEqualTo(1);
        assertThat(result.achievedRate()).isEqualTo(100);
    }

    @Test
    void slowRunEndsSoonAfterItsDurationAndReportsIt() throws IOException {
        transmitter.takesNanos = 2 * MILLI;
        SendResult result = sender(duration("1k", 10_000)).run();
        assertThat(result.counts().sent).isEqualTo(5050);
        assertThat(result.elapsedSeconds()).isEqualTo(10.1);
        assertThat(result.missedPercent()).isEqualTo(50);
        assertThat(result.complaint(1))
                .isEqualTo("the rate was missed by 50.00 %, more than the 1 % that --tolerate allows");
        assertThat(result.complaint(51)).isNull();
    }

    @Test
    void delayOfMillisecondsIsNotAMissedRate() throws IOException {
        transmitter.takesNanos = 9 * MILLI;
        SendResult result = sender(count("1M", 1, 1)).run();
        assertThat(result.missedPercent()).isGreaterThan(99);
        assertThat(result.complaint(1)).isNull();
    }

    @Test
    void maximumRateIsNeverLateAndEndsWithTheDuration() throws IOException {
        transmitter.takesNanos = 2 * MILLI;
        SendResult result = sender(duration("max", 100)).run();
        assertThat(result.counts().sent).isEqualTo(50);
        assertThat(result.counts().late).isZero();
        assertThat(result.elapsedSeconds()).isEqualTo(0.1);
        assertThat(result.missedPercent()).isZero();
        long first = transmitter.passed.get(0).intendedMicros();
        assertThat(transmitter.passed.get(49).intendedMicros()).isEqualTo(first + 98_000);
    }

    @Test
    void retriesAfterARefusalOfAnEarlierDatagram() throws IOException {
        transmitter.failures.add(new PortUnreachableException());
        transmitter.failures.add(new PortUnreachableException());
        SendResult result = sender(count("1k", 5, 1)).run();
        assertThat(result.counts().refused).isEqualTo(2);
        assertThat(result.counts().sent).isEqualTo(5);
        assertThat(result.counts().failed + result.counts().sendErrors).isZero();
        assertThat(transmitter.passed).extracting(Passed::sequence).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void datagramRefusedThreeTimesFailsAndTheRunContinues() throws IOException {
        for (int i = 0; i < Sender.MAX_TRIES; i++) {
            transmitter.failures.add(new PortUnreachableException());
        }
        SendResult result = sender(count("1k", 3, 1)).run();
        assertThat(result.counts().refused).isEqualTo(3);
        assertThat(result.counts().failed).isEqualTo(1);
        assertThat(result.counts().sent).isEqualTo(2);
        assertThat(transmitter.passed).extracting(Passed::sequence).containsExactly(1L, 2L);
        assertThat(result.complaint(100)).contains("1 datagram could").contains("port is closed");
    }

    @Test
    void retriesOtherErrorsAndKeepsTheFirstAndLast() throws IOException {
        transmitter.failures.add(new IOException("No buffer space available"));
        transmitter.failures.add(new IOException("something else"));
        transmitter.failures.add(new IOException("Operation not permitted"));
        SendResult result = sender(count("1k", 3, 1)).run();
        assertThat(result.counts().sendErrors).isEqualTo(3);
        assertThat(result.counts().failed).isEqualTo(1);
        assertThat(result.counts().sent).isEqualTo(2);
        assertThat(result.counts().firstError).isEqualTo("No buffer space available");
        assertThat(result.counts().lastError).isEqualTo("Operation not permitted");
        assertThat(result.complaint(1)).contains("Operation not permitted");
    }

    @Test
    void closedChannelEndsTheRun() throws IOException {
        transmitter.failures.add(new ClosedByInterruptException());
        SendResult result = sender(count("1k", 1000, 1)).run();
        assertThat(result.stopped()).isFalse();
        assertThat(result.missedSlots()).isEqualTo(999);
        assertThat(result.counts().failed).isEqualTo(1);
        assertThat(result.counts().sent).isZero();
        assertThat(result.counts().lastError).isEqualTo("ClosedByInterruptException");
    }

    @Test
    void stopEndsTheRunBeforeTheNextDatagram() throws IOException {
        SendRun sender = sender(count("1k", 1000, 1));
        transmitter.afterEach = () -> {
            if (transmitter.passed.size() == 10) {
                sender.stop();
            }
        };
        SendResult result = sender.run();
        assertThat(result.stopped()).isTrue();
        assertThat(result.counts().sent).isEqualTo(10);
        assertThat(sender.sent()).isEqualTo(10);
        assertThat(result.missedPercent()).isZero();
    }

    @Test
    void stopBeforeTheRunSendsNothing() throws IOException {
        SendRun sender = sender(count("1k", 1000, 1));
        sender.stop();
        SendResult result = sender.run();
        assertThat(result.counts().sent).isZero();
        assertThat(result.achievedRate()).isZero();
        assertThat(result.complaint(0)).isNull();
    }

    @Test
    void rejectsAPlanThatRepeatsSequenceNumbers() throws IOException {
        assertThat(count("1M", 1L << 32, 1).count()).isEqualTo(1L << 32);
        assertThatThrownBy(() -> count("1M", (1L << 32) + 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--sources");
        assertThatThrownBy(() -> duration("1000M", 31_536_000_000L)).isInstanceOf(IllegalArgumentException.class);
        assertThat(duration("max", 1000).count()).isEqualTo(1L << 32);
    }

    @Test
    void burstSharesADueTimeAtTheSameMeanRate() throws IOException {
        SendPlan plan = SendPlan.ofCount(Rate.parse("1k"), 20, new SourceLayout(3, 1, 1, 8, 3), RUN);
        SendResult result = sender(plan).run();
        assertThat(transmitter.passed)
                .extracting(Passed::atNanos)
                .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 20)
                        .mapToObj(n -> n / 8 * 8L * MILLI)
                        .toList());
        assertThat(result.achievedRate()).isEqualTo(1000);
        assertThat(result.counts().late).isZero();
    }

    @Test
    void sendsAtTheDueTimesOfSteps() throws IOException {
        StepSchedule steps = StepSchedule.parse("1k:10ms,100..300:100ms");
        SendResult result = sender(SendPlan.ofSteps(steps, new SourceLayout(2, 1, 1, 1, 2), RUN))
                .run();
        assertThat(result.counts().sent).isEqualTo(30);
        for (int n = 0; n < 30; n++) {
            // The fake clock goes on by a microsecond each time it is asked to spin.
            assertThat(transmitter.passed.get(n).atNanos()).isBetween(steps.dueNanos(n), steps.dueNanos(n) + 999);
        }
        assertThat(result.askedRate()).isEqualTo(30 / 0.11);
        assertThat(result.missedPercent()).isZero();
    }

    @Test
    void errorsAreCountedByName() throws IOException {
        transmitter.failures.add(new IOException("write(..) failed with error(-105): No buffer space available"));
        transmitter.failures.add(new IOException("No buffer space available"));
        transmitter.failures.add(new PortUnreachableException());
        transmitter.failures.add(new IOException("Message too long"));
        transmitter.failures.add(new IOException("never heard of"));
        transmitter.lastRefused = 2;
        SendResult result = sender(count("1k", 5, 1)).run();
        assertThat(result.counts().errors)
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("ENOBUFS", 2L, "ECONNREFUSED", 3L, "EMSGSIZE", 1L, "IOException", 1L));
        assertThat(result.counts().refused).isEqualTo(3);
        assertThat(result.counts().sendErrors).isEqualTo(4);
        assertThat(result.counts().sent + result.counts().failed).isEqualTo(5);
    }

    @Test
    void countsDatagramsThatWereNotTried() throws IOException {
        transmitter.takesNanos = 2 * MILLI;
        SendResult result = sender(duration("1k", 10_000)).run();
        assertThat(result.missedSlots()).isEqualTo(10_000 - 5050);
        assertThat(result.counts().sent + result.missedSlots()).isEqualTo(10_000);
    }

    @Test
    void fatalErrorEndsTheRun() throws IOException {
        transmitter.failures.add(new FatalSendException("the helper has ended", new IOException("Broken pipe")));
        SendResult result = sender(count("1k", 1000, 1)).run();
        assertThat(result.stopped()).isFalse();
        assertThat(result.missedSlots()).isEqualTo(999);
        assertThat(result.counts().failed).isEqualTo(1);
        assertThat(result.complaint(1)).contains("the helper has ended");
    }

    @Test
    void warmUpSendsThePlanForALimitedTime() throws IOException {
        transmitter.takesNanos = 10 * MILLI;
        SendPlan plan = count("20k", 10, 1);
        assertThat(SendRun.needsWarmUp(plan)).isTrue();
        assertThat(SendRun.needsWarmUp(count("9k", 10, 1))).isFalse();
        SendRun.warmUp(plan, PayloadPattern.SEQUENCE.payloads(PayloadSizes.of(40), 1, RUN), transmitter, clock);
        assertThat(transmitter.passed).hasSize(30);
    }

    @Test
    void progressLineShowsTheCompletedPart() {
        assertThat(ProgressLine.line(count("1k", 4000, 1), 1, 1000, 1000))
                .isEqualTo("[#######.......................]  25 %  1,000 sent  1,000/s  ETA 0:03");
        assertThat(ProgressLine.line(duration("max", 20_000), 5, 77, 7))
                .contains(" 25 %")
                .endsWith("ETA 0:15");
        assertThat(ProgressLine.line(count("1", 4_000_000, 1), 1, 1, 1)).endsWith("ETA 1111:06:39");
        assertThat(ProgressLine.line(count("1", 4, 1), 1, 0, 0)).endsWith("ETA ?");
    }
}
