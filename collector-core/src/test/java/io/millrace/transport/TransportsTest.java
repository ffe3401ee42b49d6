package io.millrace.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.channel.epoll.Epoll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Which transport a name means, where the native module is not there. */
class TransportsTest {
    @Test
    void autoIsTheBestThatWorks() {
        Assumptions.assumeTrue(Epoll.isAvailable(), "no epoll");
        assertThat(Transports.select("auto").name()).isEqualTo("epoll");
    }

    @Test
    void aTransportThatDoesNotWorkSaysWhy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Transports.select("native"))
                .withMessageContaining("collector-native is not on the class path")
                .withMessageContaining("Take 'auto'");
    }

    @Test
    void anUnknownNameNamesThoseThereAre() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Transports.select("udp"))
                .withMessage("transport takes auto, native, epoll, nio, not 'udp'");
    }
}
