package io.millrace.internal.transport.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Endpoint;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
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
    void inputsShareItAndRefusalsKeepNothing() throws UnknownHostException {
        ConnectionLimits.Budget budget = new ConnectionLimits.Budget(116);
        ConnectionLimits first = limits(budget, 100);
        ConnectionLimits second = limits(budget, 2);
        InetAddress source = InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
        InetAddress other = InetAddress.getByAddress(new byte[] {10, 0, 0, 2});
        assertThat(second.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(second.take(other)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(second.take(source)).isEqualTo(ConnectionLimits.Verdict.TOO_MANY);
        assertThat(first.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(first.take(source)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
        assertThat(first.take(other)).isEqualTo(ConnectionLimits.Verdict.NO_DESCRIPTORS);
        second.release(source);
        assertThat(first.take(source))
                .as("half of all for one source")
                .isEqualTo(ConnectionLimits.Verdict.TOO_MANY_OF_SOURCE);
        assertThat(first.take(other)).isEqualTo(ConnectionLimits.Verdict.TAKEN);
    }

    private static ConnectionLimits limits(ConnectionLimits.Budget budget, int max) {
        StreamSettings settings = StreamSettings.DEFAULT
                .with(StreamSettings.MAX_CONNECTIONS, max)
                .with(StreamSettings.MAX_CONNECTIONS_PER_SOURCE, max);
        Endpoint endpoint = Endpoint.tcp(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return new ConnectionLimits(new StreamInput("input", endpoint, settings), budget);
    }
}
