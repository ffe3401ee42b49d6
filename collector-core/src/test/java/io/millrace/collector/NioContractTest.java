package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The contract of transports, for {@code nio}, which cannot refuse. */
class NioContractTest extends TransportContract {
    @Override
    protected String transport() {
        return "nio";
    }

    @Override
    protected boolean isOnEpoll() {
        return false;
    }

    @Test
    void dropsAfterTheStopAreUnavailable() throws IOException {
        Collector collector = Collector.builder()
                .journal(directory.resolve("data"))
                .transport(transport())
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .build()
                .start();
        collector.close();
        assertThat(collector.ledger().dropped(DropReason.AFTER_STOP)).isNull();
    }

    @Test
    void unsupportedOptionNamesTheTransport() {
        CollectorBuilder builder = Collector.builder()
                .journal(directory)
                .transport(transport())
                .listen("it", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.steering(Steering.SPREAD).build())
                .withMessageContaining("steering spread requires the transport native or epoll");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.steering(Steering.HASH).gro(true).build())
                .withMessageContaining("gro requires the transport native");
    }
}
