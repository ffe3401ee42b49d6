package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.internal.deliver.TestBatch;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.http.loki.LokiProtocol;
import io.millrace.output.internal.name.NameLimit;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels of Loki from fields that a message may not have: the request is JSON, and its stream has a label. */
class LokiLabelsTest {
    private static final FrameSource UNIX = FrameSource.local(FrameTransport.UNIX_DATAGRAM, 0);
    private static final FrameSource TCP = FrameSource.of(FrameTransport.TCP, 0, InetAddress.getLoopbackAddress(), 514);

    private static LogRecord record(FrameSource source, String text) {
        byte[] payload = text.getBytes(UTF_8);
        FrameWriter batch = new FrameWriter(ByteBuffer.allocateDirect(4096));
        batch.append(
                source, ByteBuffer.wrap(payload), 0, payload.length, payload.length, 0, 1_763_683_200_000_000_000L);
        batch.seal(0, 1, 0);
        DatagramView view = new DatagramView();
        new BatchView().wrap(batch.buffer(), 0, batch.length()).first(view);
        return LogRecord.of(new InputRules(ZoneOffset.UTC, false)).wrap(view, "in", 0, 7);
    }

    /** The labels of the only stream in a request about a record. */
    private static JsonNode labels(Map<String, String> settings, int maxStreams, LogRecord record) throws IOException {
        LokiProtocol.checkLabels(settings);
        LokiProtocol shape =
                new LokiProtocol(new RawFormat(), settings, new NameLimit(maxStreams, maxStreams, System::nanoTime));
        TestBatch batch = new TestBatch();
        assertThat(batch.add(record, shape::encode)).isTrue();
        LineBuffer body = new LineBuffer();
        shape.write(batch.batch(), IntStream.range(0, 1).toArray(), body);
        JsonNode streams = new ObjectMapper()
                .readTree(new String(body.array(), 0, body.length(), UTF_8))
                .get("streams");
        assertThat(streams).hasSize(1);
        return streams.get(0).get("stream");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ip={source_ip}                       | unix | <13>app: x          | {"job":"millrace"}
            port={source_port}                   | unix | <13>app: x          | {"job":"millrace"}
            ip={source_ip} port={source_port}    | unix | <13>app: x          | {"job":"millrace"}
            ip={source_ip}                       | tcp  | <13>app: x          | {"ip":"127.0.0.1"}
            ip={source_ip} app={appname}         | unix | <13>app: x          | {"app":"app"}
            ip={source_ip} how={transport}       | unix | <13>app: x          | {"how":"unixgram"}
            ip={source_ip} job=a                 | unix | <13>app: x          | {"job":"a"}
            job=a host={hostname} pid={pid}      | tcp  | <13>app: x          | {"job":"a"}
            job=a peer={tls_peer} v={version}    | tcp  | <13>app: x          | {"job":"a"}
            job=a id={msgid} proc={procid}       | tcp  | <13>1 - h a - - - x | {"job":"a"}
            level={severity} in={input}          | unix | no header           | {"in":"in","level":"notice"}
            """)
    void labelsWithoutAValueAreLeftOut(String settings, String source, String message, String expected)
            throws IOException {
        Map<String, String> labels = new TreeMap<>();
        for (String label : settings.strip().split(" +", -1)) {
            int equals = label.indexOf('=');
            labels.put(label.substring(0, equals), label.substring(equals + 1));
        }
        LogRecord record = record(source.equals("unix") ? UNIX : TCP, message);
        assertThat(labels(labels, 10, record)).hasToString(expected);
        // Beyond the limit of streams.
        assertThat(labels(labels, 0, record))
                .isNotEmpty()
                .allMatch(value -> !value.asText().isEmpty());
    }
}
