package io.millrace.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Selection of a transport by name, without the native module. */
class TransportsTest {
    @Test
    void autoSelectsTheBestAvailableTransport() {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        assertThat(Transports.select("auto").name()).isEqualTo("epoll");
    }

    @Test
    void unavailableTransportIsReportedWithTheReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Transports.select("native"))
                .withMessageContaining("collector-native is not on the class path")
                .withMessageContaining("Use 'auto'");
    }

    @Test
    void unknownNameIsReportedWithTheValidNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Transports.select("udp"))
                .withMessage("transport accepts auto, native, epoll, nio, not 'udp'");
    }
}
