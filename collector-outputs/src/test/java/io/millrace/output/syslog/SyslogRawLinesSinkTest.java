package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.syslog.SyslogSettings.Format;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TCP with line feeds, messages as they came. */
@Tag("once")
class SyslogRawLinesSinkTest extends SinkContract {
    private SyslogReceiver receiver;

    @Override
    protected TestServer newServer() {
        receiver = new SyslogReceiver(ServerSocketFactory.getDefault(), Framing.LINE_FEED, false);
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return SyslogSettings.builder()
                .host("127.0.0.1")
                .port(receiver.port())
                .format(Format.RAW)
                .framing(Framing.LINE_FEED)
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected byte[] refusedPayload() {
        return new byte[0];
    }

    @Override
    protected String refusal() {
        return "the payload is empty";
    }

    @Test
    void escapesLineFeedsWithinAMessage() throws IOException {
        send(List.of("n=0; a\nb\n".getBytes(UTF_8), "n=1; \u00e4".getBytes(UTF_8), "\n\n".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> receiver.received().size() == 3);
        assertThat(receiver.received()).containsExactly("n=0; a#012b", "n=1; \u00e4", "#012");
    }

    /** A receiver that takes both framings would take what begins with a digit for a length. */
    @Test
    void prefixesASpaceBeforeALeadingDigit() throws IOException {
        send(List.of("99999 n=0;".getBytes(UTF_8), "n=1;".getBytes(UTF_8), "2026-11-24 n=2;".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> receiver.received().size() == 3);
        assertThat(receiver.received()).containsExactly(" 99999 n=0;", "n=1;", " 2026-11-24 n=2;");
    }
}
