package io.millrace.internal.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What formats and filters make of messages that are no UDP datagrams. */
class StreamRecordTest {
    private static final long TIME_NS = 1_763_683_200_000_000_000L;
    private static final FrameSource LOCAL = FrameSource.local(FrameTransport.UNIX_DATAGRAM, 0, 4242, 1000, 100);

    private static JournalRecord record(FrameSource source, String text, int marks) {
        return new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false)
                .wrap(view(source, text, marks), "in", 0, 7);
    }

    private static DatagramView view(FrameSource source, String text, int marks) {
        byte[] payload = text.getBytes(UTF_8);
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(4096));
        batch.append(source, ByteBuffer.wrap(payload), 0, payload.length, payload.length, marks, TIME_NS);
        batch.seal(0, 1, 0);
        DatagramView view = new DatagramView();
        new BatchView().wrap(batch.buffer(), 0, batch.length()).first(view);
        return view;
    }

    private static String written(LineFormat format, JournalRecord record) {
        LineBuffer line = new LineBuffer();
        format.write(record, line);
        return new String(line.array(), 0, line.length(), UTF_8);
    }

    @Test
    void jsonOfAConnection() {
        FrameSource tcp = FrameSource.of(FrameTransport.TCP, 0, InetAddress.getLoopbackAddress(), 514);
        assertThat(written(new JsonFormat(), record(tcp, "<13>app: half", FrameWriter.INCOMPLETE)))
                .contains("\"source_ip\":\"127.0.0.1\",\"source_port\":514,\"transport\":\"tcp\",\"input\":\"in\"")
                .contains("\"incomplete\":true")
                .doesNotContain("truncated", "pid", "hostname");
    }

    /** The format keeps the text of the last source: one that differs in one thing only must not get it. */
    @Test
    void jsonOfEachSourceIsItsOwn() throws IOException {
        JsonFormat format = new JsonFormat();
        JournalRecord record = new JournalRecord(new InputRules(ZoneOffset.UTC, false), Map.of(), false);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        InetAddress other = InetAddress.getByName("192.0.2.1");
        assertSource(format, record, FrameTransport.TCP, loopback, 514, 0);
        assertSource(format, record, FrameTransport.TCP, loopback, 514, 0);
        assertSource(format, record, FrameTransport.RELP, loopback, 514, 0);
        assertSource(format, record, FrameTransport.RELP, other, 514, 0);
        assertSource(format, record, FrameTransport.RELP, other, 515, 0);
        assertSource(format, record, FrameTransport.RELP, other, 515, 1);
        assertSource(format, record, FrameTransport.UDP, other, 515, 1);
        assertThat(written(format, record.wrap(view(LOCAL, "m", 0), "in", 1, 7)))
                .contains("\"transport\":\"unixgram\",\"pid\":4242")
                .doesNotContain("source_ip");
    }

    private static void assertSource(
            JsonFormat format,
            JournalRecord record,
            FrameTransport transport,
            InetAddress address,
            int port,
            int shard) {
        DatagramView view = view(FrameSource.of(transport, 0, address, port), "m", 0);
        assertThat(written(format, record.wrap(view, "in", shard, 7)))
                .contains("\"source_ip\":\"" + address.getHostAddress() + "\",\"source_port\":" + port
                        + (transport == FrameTransport.UDP ? "" : ",\"transport\":\"" + transport.key() + "\"")
                        + ",\"input\":\"in\",\"shard\":" + shard + ",\"sequence\":7");
    }

    @Test
    void localMessageHasThisHostAndItsProcess() {
        String host = new String(LocalHost.name(), UTF_8);
        JournalRecord record = record(LOCAL, "<13>Nov 24 20:00:00 app[12]: hello", 0);
        assertThat(written(new JsonFormat(), record))
                .contains("\"hostname\":\"" + host + "\"")
                .contains("\"transport\":\"unixgram\",\"pid\":4242,\"uid\":1000,\"gid\":100")
                .contains("\"appname\":\"app\"")
                .doesNotContain("source_ip", "source_port");
        assertThat(written(new Rfc5424Format(), record)).contains(" " + host + " app 12 - - hello");
        assertThat(written(new LogfmtFormat(), record))
                .contains("hostname=" + host)
                .contains(" transport=unixgram pid=4242 uid=1000 gid=100 ")
                .doesNotContain("source_ip");
        assertThat(written(TemplateFormat.of("{source_ip} {pid} {hostname}"), record))
                .isEqualTo("- 4242 " + host + "\n");
    }

    @Test
    void hostOfTheMessageIsKept() {
        JournalRecord record = record(LOCAL, "<13>1 2026-11-24T20:00:00Z other app - - - hello", 0);
        assertThat(written(new JsonFormat(), record)).contains("\"hostname\":\"other\"");
    }

    @Test
    void filters() {
        JournalRecord local = record(LOCAL, "<13>app: hello", 0);
        assertThat(Filter.compile("uid == 1000 and transport == \"unixgram\"").matches(local))
                .isTrue();
        assertThat(Filter.compile("pid").matches(local)).isTrue();
        assertThat(Filter.compile("source_ip in 0.0.0.0/0").matches(local)).isFalse();
        assertThat(Filter.compile("source_ip").matches(local)).isFalse();
        assertThat(Filter.compile("source_ip != 10.0.0.1 or source_ip not in 10.0.0.0/8")
                        .matches(local))
                .as("a comparison with an absent field is false")
                .isFalse();
    }
}
