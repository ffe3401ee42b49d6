package io.millrace.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Network;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HandshakePacerTest {
    private static final Network SOURCE = Network.parse("10.0.0.1");
    private static final Network OTHER = Network.parse("10.0.0.2");
    private static final long LONG_NS = HandshakePacer.BUDGET_NS * 3 / 4;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EventLoop loop = channel.eventLoop();
    private final List<Integer> done = new ArrayList<>();
    private long nowNs = 1;
    private final AtomicInteger computed = new AtomicInteger();
    private final HandshakePacer pacer = new HandshakePacer(computed::incrementAndGet, () -> nowNs);

    HandshakePacerTest() {
        channel.freezeTime();
    }

    private int handshake(int number, Network source, long takesNs) {
        return pacer.run(
                source,
                () -> {
                    done.add(number);
                    nowNs += takesNs;
                    channel.advanceTimeBy(takesNs, TimeUnit.NANOSECONDS);
                },
                loop);
    }

    private void advance(long ns) {
        nowNs += ns;
        channel.advanceTimeBy(ns, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void handshakesRunAtOnceUntilTheBudgetIsUsed() {
        for (int i = 1; i <= 5; i++) {
            handshake(i, SOURCE, LONG_NS);
        }
        assertThat(done).containsExactly(1, 2, 3);
        assertThat(computed).hasValue(3);
        assertThat(pacer.hasWaiting()).isTrue();
        advance(HandshakePacer.WINDOW_NS);
        advance(HandshakePacer.WINDOW_NS);
        assertThat(done).containsExactly(1, 2, 3, 4, 5);
        assertThat(computed).hasValue(5);
        assertThat(pacer.hasWaiting()).isFalse();
    }

    @Test
    void longHandshakeIsADebt() {
        long longNs = 10 * HandshakePacer.WINDOW_NS;
        handshake(1, SOURCE, longNs);
        handshake(2, SOURCE, longNs);
        for (long waitedNs = 0; waitedNs < longNs - HandshakePacer.WINDOW_NS; waitedNs += HandshakePacer.BUDGET_NS) {
            advance(HandshakePacer.BUDGET_NS);
        }
        assertThat(done).as("they take at most half of the time").containsExactly(1);
        advance(2 * HandshakePacer.WINDOW_NS);
        assertThat(done).containsExactly(1, 2);
    }

    @Test
    void laterPartsOfAHandshakeAreCharged() {
        pacer.measure(() -> nowNs += 4 * HandshakePacer.BUDGET_NS);
        handshake(1, SOURCE, 0);
        assertThat(done).isEmpty();
        advance(4 * HandshakePacer.BUDGET_NS);
        assertThat(done).containsExactly(1);
    }

    @Test
    void sourcesTakeTurns() {
        handshake(0, SOURCE, 4 * HandshakePacer.WINDOW_NS);
        assertThat(handshake(1, SOURCE, LONG_NS)).isEqualTo(1);
        assertThat(handshake(2, SOURCE, LONG_NS)).isEqualTo(2);
        assertThat(handshake(3, SOURCE, LONG_NS)).isEqualTo(3);
        handshake(4, OTHER, LONG_NS);
        for (int i = 0; i < 20; i++) {
            advance(HandshakePacer.WINDOW_NS);
        }
        assertThat(done).containsExactly(0, 1, 4, 2, 3);
    }
}
