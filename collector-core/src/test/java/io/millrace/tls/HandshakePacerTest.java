package io.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HandshakePacerTest {
    /** A handshake that takes most of a window's budget. */
    private static final long LONG_NS = HandshakePacer.BUDGET_NS * 3 / 4;

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final EventLoop loop = channel.eventLoop();
    private final List<Integer> done = new ArrayList<>();
    private long nowNs = 1;
    private final HandshakePacer pacer = new HandshakePacer(() -> nowNs);

    private void handshake(int number) {
        pacer.run(
                () -> {
                    done.add(number);
                    nowNs += LONG_NS;
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
        handshake(1);
        handshake(2);
        handshake(3);
        assertThat(done).containsExactly(1, 2);
    }

    @Test
    void othersRunInTheirOrderInLaterWindows() {
        channel.freezeTime();
        for (int i = 1; i <= 5; i++) {
            handshake(i);
        }
        advance(HandshakePacer.WINDOW_NS);
        assertThat(done).containsExactly(1, 2, 3, 4);
        assertThat(pacer.takeActive()).isTrue();
        assertThat(pacer.takeActive()).as("the fifth waits").isTrue();
        handshake(6);
        assertThat(done).as("it waits behind the fifth").hasSize(4);
        advance(HandshakePacer.WINDOW_NS);
        assertThat(done).containsExactly(1, 2, 3, 4, 5, 6);
        assertThat(pacer.takeActive()).as("two were computed").isTrue();
        assertThat(pacer.takeActive()).isFalse();
        advance(HandshakePacer.WINDOW_NS);
        handshake(7);
        assertThat(done).endsWith(7);
    }
}
