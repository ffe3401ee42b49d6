package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.output.SinkContract;
import io.millrace.output.TestServer;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TCP with octet counting, RFC 5424 with the source. */
@Tag("once")
class SyslogTcpSinkTest extends SinkContract {
    private SyslogReceiver receiver;

    @Override
    protected TestServer newServer() {
        receiver = new SyslogReceiver(ServerSocketFactory.getDefault(), Framing.OCTET_COUNTING, false);
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return SyslogSettings.builder()
                .host("127.0.0.1")
                .port(receiver.port())
                .keepSource(true)
                .build()
                .sink("out");
    }

    @Override
    protected boolean refusesNothing() {
        return true;
    }

    @Override
    protected boolean isAcknowledged() {
        return false;
    }

    @Override
    protected byte[] refusedPayload() {
        throw new AssertionError("RFC 5424 has a header for the shortest message too");
    }

    @Override
    protected String refusal() {
        return "";
    }

    @Override
    protected void rejectedRecordBecomesADeadLetterWithoutDelay() {
        // Every message can be sent in this form.
    }

    @AfterEach
    void framingIsValid() {
        assertThat(receiver.violations()).isEmpty();
    }

    @Test
    void addsTheSourceToEachMessage() throws IOException {
        send(List.of(
                "<34>1 2026-11-21T10:00:00Z h a - - - n=0; none".getBytes(UTF_8),
                "<34>1 2026-11-21T10:00:00Z h a - - [x@1 a=\"\\]b\"][y@1] n=1; two".getBytes(UTF_8),
                "<34>1 2026-11-21T10:00:00Z h a - - [millrace@32473 source=\"192.0.2.9\"] n=2; own".getBytes(UTF_8),
                "<34>1 2026-11-21T10:00:00Z h a - - -".getBytes(UTF_8),
                "n=4; no header\nat all".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> receiver.received().size() == 5);
        List<String> found = receiver.received();
        String source = "\\[millrace@32473 source=\"127\\.0\\.0\\.1\" port=\"\\d+\" input=\"sys \\\\\"log\\\\]\""
                + " shard=\"0\" sequence=\"";
        assertThat(found.get(0)).matches("<34>1 \\S+ h a - - " + source + "0\"\\] n=0; none");
        assertThat(found.get(1))
                .matches("<34>1 \\S+ h a - - " + source + "1\"\\]\\[x@1 a=\"\\\\]b\"\\]\\[y@1\\] n=1; two");
        assertThat(found.get(2))
                .as("a sender cannot say where it is")
                .matches("<34>1 \\S+ h a - - " + source + "2\"\\]\\[previous@32473 source=\"192.0.2.9\"\\] n=2; own");
        assertThat(found.get(3)).matches("<34>1 \\S+ h a - - " + source + "3\"\\]");
        assertThat(found.get(4)).matches("<13>1 \\S+ 127.0.0.1 - - - " + source + "4\"\\] n=4; no header#012at all");
    }

    @Test
    void addsThePartToMessagesOfOneDatagram() throws Exception {
        splitLines();
        send(List.of("<34>n=0;\n<34>n=1;\n".getBytes(UTF_8), "<34>n=2;\n".getBytes(UTF_8)));
        await().atMost(SOON).until(() -> receiver.received().size() == 3);
        assertThat(receiver.received().get(0)).contains(" sequence=\"0\" part=\"0\"]");
        assertThat(receiver.received().get(1)).contains(" sequence=\"0\" part=\"1\"]");
        assertThat(receiver.received().get(2)).contains(" sequence=\"1\"]");
    }

    @Test
    void renamesAForeignSourceElement() throws IOException {
        send(List.of(
                ("<34>1 2026-11-21T10:00:00Z h a - - [previous@32473 a=\"1\"][millrace@32473 b=\"]\\\"2\"][millrace@32473x c=\"3\"]"
                                + "[millrace@32473][d@1] n=0; [millrace@32473] in the text")
                        .getBytes(UTF_8)));
        await().atMost(SOON).until(() -> receiver.received().size() == 1);
        assertThat(receiver.received().get(0))
                .contains("[millrace@32473 source=\"127.0.0.1\"")
                .doesNotContain("a=\"1\"")
                .endsWith(
                        "[previous@32473 b=\"]\\\"2\"][millrace@32473x c=\"3\"][d@1] n=0; [millrace@32473] in the text");
    }

    @Test
    void truncatesOversizedMessagesAtACharacterBoundary() throws IOException {
        send(List.of(
                ("<34>1 2026-11-21T10:00:00Z h a - - - n=0;" + "\u00e4".repeat(20_000)).getBytes(UTF_8),
                ("<34>1 2026-11-21T10:00:00Z h a - - - n=1; " + "\u0001".repeat(60_000)).getBytes(UTF_8),
                numbered(2)));
        awaitAll(3);
        assertThat(arrived()).isEqualTo(numbers(0, 3));
        assertThat(receiver.received())
                .allSatisfy(message -> assertThat(message.getBytes(UTF_8)).hasSizeLessThanOrEqualTo(8096));
        assertThat(receiver.received().get(0)).endsWith("\u00e4\u00e4").doesNotContain("\ufffd");
        assertThat(receiver.received().get(0).getBytes(UTF_8).length).isGreaterThanOrEqualTo(8096 - 1);
        assertThat(status().adjusted()).containsEntry(Adjustment.TRUNCATED, 2L);
        assertThat(status().counts().acked()).isEqualTo(3);
    }

    @Test
    void oversizedStructuredDataBecomesADeadLetter() throws IOException {
        send(List.of(
                ("<34>1 2026-11-21T10:00:00Z h a - - [x@1 y=\"" + "\\\"] ".repeat(3_000) + "\"] n=9; text")
                        .getBytes(UTF_8),
                numbered(0)));
        awaitAll(1);
        assertThat(arrived()).isEqualTo(numbers(0, 1));
        assertThat(status().refused()).containsEntry(Refusal.TOO_LONG, 1L);
        assertThat(Files.readString(directory.resolve("data/dead-letters/out.ndjson")))
                .contains("its header and structured data are longer than maxMessage, 8096 bytes");
    }
}
