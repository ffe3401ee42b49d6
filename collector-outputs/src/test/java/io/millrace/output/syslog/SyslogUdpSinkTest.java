package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.syslog.SyslogSettings.Transport;
import io.millrace.sink.Sink;

/** UDP. */
class SyslogUdpSinkTest extends SinkContract {
    private final DatagramReceiver receiver = new DatagramReceiver();

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return SyslogSettings.builder()
                .host("127.0.0.1")
                .port(receiver.port())
                .transport(Transport.UDP)
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected int count() {
        // As many as fit into the receive buffer that a socket has where nobody raised the limit.
        return 40;
    }

    @Override
    protected byte[] refusedPayload() {
        return ("<34>1 - h a - - [x y=\"" + "z".repeat(9_000) + "\"] -").getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "its header and structured data are longer than maxMessage";
    }

    @Override
    protected void slowDestinationOnlyDelays() {
        // Over UDP there is no telling that a destination is slow.
    }
}
