package io.millrace.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** The run itself, with a fake clock and a fake transmitter. */
class SenderTest {
    private static final int RUN = 0xcafe;
    private static final long MILLI = 1_000_000;

    private final FakeClock clock = new FakeClock(42);
    private final FakeTransmitter transmitter = new FakeTransmitter();

    /** What was handed over, and when. */
    private record Handed(int source, long sequence, long intendedMicros, long atNanos) {}

    private final class FakeTransmitter implements Transmitter {
        final List<Handed> handed = new ArrayList<>();
        final Queue<IOException> failures = new ArrayDeque<>();
        final SequencePayload payload = new SequencePayload();
        long takesNanos;
        Runnable afterEach = () -> {};
        boolean lastRefused;

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
            handed.add(new Handed(source, payload.sequence(), payload.intendedTimeMicros(), clock.now - 42));
            clock.now += takesNanos;
            afterEach.run();
        }

        @Override
        public boolean wasLastRefused(int source) {
            return lastRefused;
        }

        @Override
        public void close() {}
    }

    private Sender sender(SendPlan plan) {
        return new Sender(plan, transmitter, clock);
    }

    private static SendPlan count(String rate, long count, int sources) {
        return SendPlan.ofCount(Rate.parse(rate), count, 40, sources, RUN);
    }

    private static SendPlan duration(String rate, long millis) {
        return SendPlan.ofDuration(Rate.parse(rate), Duration.ofMillis(millis), 40, 1, RUN);
    }

    @Test
    void sourcesTakeTurnsEachWithItsOwnSequence() {
        SendResult result = sender(count("1k", 7, 3)).run();
        assertThat(result.sent()).isEqualTo(7);
        assertThat(transmitter.handed).extracting(Handed::source).containsExactly(0, 1, 2, 0, 1, 2, 0);
        assertThat(transmitter.handed).extracting(Handed::sequence).containsExactly(0L, 0L, 0L, 1L, 1L, 1L, 2L);
    }

    @Test
    void eachDatagramLeavesAtItsTimeAndCarriesIt() {
        SendResult result = sender(count("1k", 100, 1)).run();
        long start = clock.epochMicros & 0xffff_ffffL;
        for (int n = 0; n < 100; n++) {
            assertThat(transmitter.handed.get(n).atNanos()).isEqualTo(n * MILLI);
            assertThat(transmitter.handed.get(n).intendedMicros()).isEqualTo(start + n * 1000L);
        }
        assertThat(result.achievedRate()).isEqualTo(1000);
        assertThat(result.missedPercent(Rate.parse("1k"))).isZero();
        assertThat(result.elapsedSeconds()).isEqualTo(0.1);
        assertThat(result.late()).isZero();
        assertThat(result.complaint(Rate.parse("1k"), 0)).isNull();
    }

    @Test
    void theIntendedTimeWrapsAtThirtyTwoBits() {
        clock.epochMicros = 0x7_ffff_ffffL;
        sender(count("1M", 2, 1)).run();
        assertThat(transmitter.handed).extracting(Handed::intendedMicros).containsExactly(0xffff_ffffL, 0L);
    }

    @Test
    void afterAStallItCatchesUpAndKeepsTheIntendedTimes() {
        transmitter.afterEach = () -> clock.now += transmitter.handed.size() == 10 ? 20 * MILLI : 0;
        SendResult result = sender(count("1k", 100, 1)).run();
        long first = transmitter.handed.get(0).intendedMicros();
        assertThat(transmitter.handed.get(10).atNanos()).isEqualTo(29 * MILLI);
        assertThat(transmitter.handed.get(29).atNanos()).isEqualTo(29 * MILLI);
        assertThat(transmitter.handed.get(10).intendedMicros()).isEqualTo(first + 10_000);
        assertThat(transmitter.handed.get(99).atNanos()).isEqualTo(99 * MILLI);
        assertThat(result.maxLateNanos()).isEqualTo(19 * MILLI);
        assertThat(result.late()).isEqualTo(18);
        assertThat(result.missedPercent(Rate.parse("1k"))).isZero();
    }

    @Test
    void aDurationSendsWhatIsDueInIt() {
        SendResult result = sender(duration("100", 1000)).run();
        assertThat(result.sent()).isEqualTo(100);
        assertThat(result.elapsedSeconds()).isEqualTo(1);
        assertThat(result.achievedRate()).isEqualTo(100);
    }

    @Test
    void aRunThatCannotKeepUpEndsSoonAfterItsTimeAndSaysSo() {
        transmitter.takesNanos = 2 * MILLI;
        Rate asked = Rate.parse("1k");
        SendResult result = sender(duration("1k", 10_000)).run();
        assertThat(result.sent()).isEqualTo(5050);
        assertThat(result.elapsedSeconds()).isEqualTo(10.1);
        assertThat(result.missedPercent(asked)).isEqualTo(50);
        assertThat(result.complaint(asked, 1))
                .isEqualTo("the rate was missed by 50.00 %, more than the 1 % that --tolerate allows");
        assertThat(result.complaint(asked, 51)).isNull();
    }

    @Test
    void aRunAFewMillisecondsBehindHasNotMissedItsRate() {
        transmitter.takesNanos = 9 * MILLI;
        Rate asked = Rate.parse("1M");
        SendResult result = sender(count("1M", 1, 1)).run();
        assertThat(result.missedPercent(asked)).isGreaterThan(99);
        assertThat(result.complaint(asked, 1)).isNull();
    }

    @Test
    void maxIsNeverLateAndEndsWithItsTime() {
        transmitter.takesNanos = 2 * MILLI;
        SendResult result = sender(duration("max", 100)).run();
        assertThat(result.sent()).isEqualTo(50);
        assertThat(result.late()).isZero();
        assertThat(result.elapsedSeconds()).isEqualTo(0.1);
        assertThat(result.missedPercent(Rate.MAX)).isZero();
        long first = transmitter.handed.get(0).intendedMicros();
        assertThat(transmitter.handed.get(49).intendedMicros()).isEqualTo(first + 98_000);
    }

    @Test
    void aRefusalIsOfAnEarlierDatagramSoThisOneIsSentAgain() {
        transmitter.failures.add(new PortUnreachableException());
        transmitter.failures.add(new PortUnreachableException());
        SendResult result = sender(count("1k", 5, 1)).run();
        assertThat(result.refused()).isEqualTo(2);
        assertThat(result.sent()).isEqualTo(5);
        assertThat(result.failed() + result.sendErrors()).isZero();
        assertThat(transmitter.handed).extracting(Handed::sequence).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void aDatagramRefusedThreeTimesHasFailedAndTheRunGoesOn() {
        for (int i = 0; i < Sender.MAX_TRIES; i++) {
            transmitter.failures.add(new PortUnreachableException());
        }
        SendResult result = sender(count("1k", 3, 1)).run();
        assertThat(result.refused()).isEqualTo(3);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.sent()).isEqualTo(2);
        assertThat(transmitter.handed).extracting(Handed::sequence).containsExactly(1L, 2L);
        assertThat(result.complaint(Rate.parse("1k"), 100))
                .contains("1 datagram could")
                .contains("port is closed");
    }

    @Test
    void otherErrorsAreCountedTriedAgainAndTheFirstAndLastAreKept() {
        transmitter.failures.add(new IOException("No buffer space available"));
        transmitter.failures.add(new IOException("something else"));
        transmitter.failures.add(new IOException("Operation not permitted"));
        SendResult result = sender(count("1k", 3, 1)).run();
        assertThat(result.sendErrors()).isEqualTo(3);
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.sent()).isEqualTo(2);
        assertThat(result.firstError()).isEqualTo("No buffer space available");
        assertThat(result.lastError()).isEqualTo("Operation not permitted");
        assertThat(result.complaint(Rate.parse("1k"), 1)).contains("Operation not permitted");
    }

    @Test
    void aClosedChannelEndsTheRun() {
        transmitter.failures.add(new ClosedByInterruptException());
        SendResult result = sender(count("1k", 1000, 1)).run();
        assertThat(result.stopped()).isTrue();
        assertThat(result.failed()).isEqualTo(1);
        assertThat(result.sent()).isZero();
        assertThat(result.lastError()).isEqualTo("ClosedByInterruptException");
    }

    @Test
    void aStopEndsTheRunBeforeItsNextDatagram() {
        Sender sender = sender(count("1k", 1000, 1));
        transmitter.afterEach = () -> {
            if (transmitter.handed.size() == 10) {
                sender.stop();
            }
        };
        SendResult result = sender.run();
        assertThat(result.stopped()).isTrue();
        assertThat(result.sent()).isEqualTo(10);
        assertThat(sender.sent()).isEqualTo(10);
        assertThat(result.missedPercent(Rate.parse("1k"))).isZero();
    }

    @Test
    void aStopBeforeTheRunSendsNothing() {
        Sender sender = sender(count("1k", 1000, 1));
        sender.stop();
        SendResult result = sender.run();
        assertThat(result.sent()).isZero();
        assertThat(result.achievedRate()).isZero();
        assertThat(result.complaint(Rate.parse("1k"), 0)).isNull();
    }

    @Test
    void aPlanThatWouldUseASequenceNumberTwiceIsRefused() {
        assertThat(count("1M", 1L << 32, 1).count()).isEqualTo(1L << 32);
        assertThatThrownBy(() -> count("1M", (1L << 32) + 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--sources");
        assertThatThrownBy(() -> duration("1000M", 31_536_000_000L)).isInstanceOf(IllegalArgumentException.class);
        assertThat(duration("max", 1000).count()).isEqualTo(1L << 32);
    }
}
