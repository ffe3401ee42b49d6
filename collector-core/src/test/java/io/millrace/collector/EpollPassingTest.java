package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sockets that are passed between processes, for {@code epoll}; and that {@code nio} says it cannot. */
class EpollPassingTest extends PassingContract {
    @Override
    protected String transport() {
        return "epoll";
    }

    @Test
    void nioRejectsPassedSockets() throws Exception {
        CollectorBuilder builder = Collector.builder()
                .journal(directory.resolve("nio"))
                .transport("nio")
                .receivers(1)
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        try (Collector collector = builder.build().start()) {
            assertThatThrownBy(() -> collector.handoff(ns -> {}))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("transport accepts native or epoll");
            assertThatThrownBy(collector::boundSockets).isInstanceOf(IllegalArgumentException.class);
            assertThat(collector.problems()).isEmpty();
        }
        assertThatThrownBy(
                        () -> builder.adopt(List.of(new BoundSocket(3, true))).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("this is nio");
    }
}
