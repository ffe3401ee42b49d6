package io.millrace.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    private static int places(ConnectionLimits.Budget budget) {
        int places = 0;
        while (places < 100_000 && budget.take()) {
            places++;
        }
        return places;
    }

    @Test
    void connectionsLeaveDescriptorsForTheRest() {
        assertThat(places(new ConnectionLimits.Budget(256))).isEqualTo(128);
        assertThat(places(new ConnectionLimits.Budget(1024))).isEqualTo(512);
        assertThat(places(new ConnectionLimits.Budget(65_536))).isEqualTo(64_512);
        assertThat(places(new ConnectionLimits.Budget(Long.MAX_VALUE))).isEqualTo(100_000);
    }

    @Test
    void inputsShareItAndRefusalsKeepNothing() {
        ConnectionLimits.Budget budget = new ConnectionLimits.Budget(4);
        ConnectionLimits first = limits(budget, 100);
        ConnectionLimits second = limits(budget, 1);
        InetAddress source = InetAddress.getLoopbackAddress();
        assertThat(second.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(second.take(source)).isEqualTo(ConnectionLimits.Verdict.TOO_MANY);
        assertThat(first.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(first.take(source)).isEqualTo(ConnectionLimits.Verdict.NO_DESCRIPTORS);
        second.release(source);
        assertThat(first.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
    }

    private static ConnectionLimits limits(ConnectionLimits.Budget budget, int max) {
        StreamSettings it = StreamSettings.DEFAULT;
        StreamSettings settings = new StreamSettings(
                it.framing(),
                it.maxMessageBytes(),
                max,
                max,
                it.idleTimeout(),
                it.mode(),
                it.owner(),
                it.tls(),
                it.proxies());
        Endpoint endpoint = Endpoint.tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new ConnectionLimits(new StreamInput("input", endpoint, settings), budget);
    }
}
