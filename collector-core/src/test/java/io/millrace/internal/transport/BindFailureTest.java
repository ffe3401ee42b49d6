package io.millrace.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class BindFailureTest {
    private final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 5514);

    @Test
    void saysTheSameOfUdpAndTcp() {
        assertThat(BindFailure.ofUdp(address, new IOException("Address already in use")))
                .hasMessage("cannot listen on 127.0.0.1:5514: address already in use"
                        + " (another process has the port; to find it: ss -lunp 'sport = :5514')");
        assertThat(BindFailure.ofTcp(
                        address, new IOException("bind(..) failed with error(-98): Address already in use")))
                .hasMessage("cannot listen on tcp 127.0.0.1:5514: address already in use"
                        + " (another process has the port; to find it: ss -lntp 'sport = :5514')");
    }

    @Test
    void saysThatThereIsNoIpv6() {
        assertThat(BindFailure.ofTcp(address, new UnsupportedOperationException("Protocol family not supported")))
                .hasMessage("cannot listen on tcp 127.0.0.1:5514: address family not supported"
                        + " (this host has no IPv6; listen on 0.0.0.0:5514 instead)");
    }

    @Test
    void keepsAReasonThatItDoesNotKnow() {
        assertThat(BindFailure.ofTcp(address, new IOException("no buffers")))
                .hasMessage("cannot listen on tcp 127.0.0.1:5514: no buffers")
                .hasRootCauseMessage("no buffers");
    }
}
