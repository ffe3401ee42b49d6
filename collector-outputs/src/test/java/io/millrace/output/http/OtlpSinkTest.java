package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.journal.Journal;
import io.millrace.output.TestServer;
import io.millrace.output.http.HttpReceiver.Reply;
import io.millrace.sink.Sink;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsPartialSuccess;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.logs.v1.LogRecord;
import io.opentelemetry.proto.logs.v1.ResourceLogs;
import io.opentelemetry.proto.logs.v1.SeverityNumber;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** OTLP: a model of a server that reads requests with the published classes, and rejects in part, or as a whole. */
@Tag("once")
class OtlpSinkTest extends HttpSinkContract {
    private final HttpReceiver receiver = HttpReceiver.ofBytes("/v1/logs", this::export);
    private final List<ResourceLogs> resources = new ArrayList<>();
    private volatile boolean rejectsWhole;

    private Reply export(String body, List<String> received) throws IOException {
        ExportLogsServiceRequest request = ExportLogsServiceRequest.parseFrom(body.getBytes(ISO_8859_1));
        List<String> stored = new ArrayList<>();
        int rejected = 0;
        for (ResourceLogs each : request.getResourceLogsList()) {
            assertThat(each.getScopeLogsList()).hasSize(1);
            for (LogRecord record : each.getScopeLogs(0).getLogRecordsList()) {
                String text = record.getBody().getStringValue();
                if (text.contains("refuse-me")) {
                    rejected++;
                } else {
                    stored.add(text);
                }
            }
        }
        if (rejected > 0 && rejectsWhole) {
            // google.rpc.Status: code, message.
            return bytes(400, new byte[] {8, 3, 18, 3, 'b', 'a', 'd'});
        }
        received.addAll(stored);
        synchronized (resources) {
            resources.addAll(request.getResourceLogsList());
        }
        ExportLogsServiceResponse.Builder response = ExportLogsServiceResponse.newBuilder();
        if (rejected > 0) {
            response.setPartialSuccess(ExportLogsPartialSuccess.newBuilder()
                    .setRejectedLogRecords(rejected)
                    .setErrorMessage("no such body"));
        }
        return bytes(200, response.build().toByteArray());
    }

    private static Reply bytes(int status, byte[] body) {
        return new Reply(status, Map.of("Content-Type", "application/x-protobuf"), new String(body, ISO_8859_1));
    }

    @Override
    HttpReceiver http() {
        return receiver;
    }

    @Override
    protected TestServer newServer() {
        return receiver;
    }

    @Override
    protected Sink newSink() {
        return OtlpSettings.builder()
                .url(receiver.uri())
                .connectTimeout(Duration.ofSeconds(5))
                .timeout(Duration.ofSeconds(5))
                .build()
                .sink("out");
    }

    @Override
    protected boolean isAcknowledged() {
        return true;
    }

    @Override
    protected byte[] refusedPayload() {
        return "refuse-me".getBytes(UTF_8);
    }

    @Override
    protected String refusal() {
        return "1 of 1 records were rejected: no such body\"";
    }

    private List<LogRecord> records() {
        synchronized (resources) {
            return resources.stream()
                    .flatMap(each -> each.getScopeLogs(0).getLogRecordsList().stream())
                    .toList();
        }
    }

    private static Map<String, AnyValue> attributes(List<KeyValue> list) {
        Map<String, AnyValue> values = new HashMap<>();
        list.forEach(
                each -> assertThat(values.put(each.getKey(), each.getValue())).isNull());
        return values;
    }

    private LogRecord only(String message) throws IOException {
        send(List.of(message.getBytes(ISO_8859_1)));
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(records()).hasSize(1);
        return records().get(0);
    }

    @Test
    void recordHasTheFieldsOfTheMessage() throws IOException {
        LogRecord record =
                only("<165>1 2026-11-21T10:00:00.123456789Z fw1 app 12 ID7 [a@1 x=\"1\" y=\"q\\\"\"][b] text");
        assertThat(record.getTimeUnixNano())
                .isEqualTo(Instant.parse("2026-11-21T10:00:00Z").getEpochSecond() * 1_000_000_000L + 123_456_789);
        assertThat(record.getObservedTimeUnixNano()).isGreaterThan(record.getTimeUnixNano());
        assertThat(record.getSeverityNumber()).isEqualTo(SeverityNumber.SEVERITY_NUMBER_INFO2);
        assertThat(record.getSeverityText()).isEqualTo("notice");
        assertThat(record.getBody().getStringValue()).isEqualTo("text");
        Map<String, AnyValue> attributes = attributes(record.getAttributesList());
        assertThat(attributes.get("priority").getIntValue()).isEqualTo(165);
        assertThat(attributes.get("facility").getIntValue()).isEqualTo(20);
        assertThat(attributes.get("version").getIntValue()).isEqualTo(1);
        assertThat(attributes.get("hostname").getStringValue()).isEqualTo("fw1");
        assertThat(attributes.get("appname").getStringValue()).isEqualTo("app");
        assertThat(attributes.get("proc_id").getStringValue()).isEqualTo("12");
        assertThat(attributes.get("msg_id").getStringValue()).isEqualTo("ID7");
        Map<String, AnyValue> data =
                attributes(attributes.get("structured_data").getKvlistValue().getValuesList());
        assertThat(data).containsOnlyKeys("a@1", "b");
        Map<String, AnyValue> parameters =
                attributes(data.get("a@1").getKvlistValue().getValuesList());
        assertThat(parameters.get("x").getStringValue()).isEqualTo("1");
        assertThat(parameters.get("y").getStringValue()).isEqualTo("q\"");
        assertThat(attributes.get("network.peer.address").getStringValue()).isEqualTo("127.0.0.1");
        assertThat(attributes.get("network.peer.port").getIntValue()).isPositive();
        String journal = String.format(
                "%016x", Journal.open(directory.resolve("data")).meta().journalId());
        assertThat(attributes.get("log.record.uid").getStringValue()).isEqualTo(journal + "-0-0");
        assertThat(attributes(resources.get(0).getResource().getAttributesList())
                        .get("host.name")
                        .getStringValue())
                .isEqualTo("fw1");
    }

    /** A text that is not UTF-8 would make the whole request invalid. */
    @Test
    void invalidBytesAreReplaced() throws IOException {
        LogRecord record = only("<13>1 - h\u00e4 app - - [a@1 x=\"\u00e4\"] \u00fc n=1;");
        assertThat(record.getBody().getStringValue()).isEqualTo("\ufffd n=1;");
        assertThat(record.getTimeUnixNano()).isZero();
    }

    @Test
    void messageWithoutAHostNameHasAResourceWithoutOne() throws IOException {
        LogRecord record = only("no header");
        assertThat(record.getBody().getStringValue()).isEqualTo("no header");
        assertThat(resources.get(0).getResource().getAttributesList()).isEmpty();
    }

    @Test
    void hostsAreResources() throws IOException {
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            payloads.add(("<13>1 - host" + i % 3 + " app - - - n=" + i + ";").getBytes(UTF_8));
        }
        send(payloads);
        receiver.start();
        awaitAll(30);
        synchronized (resources) {
            assertThat(resources).hasSizeLessThanOrEqualTo(6);
        }
    }

    /** Partial success does not say which records are rejected: others arrive again, with the same identity. */
    @Test
    void rejectedRecordIsFoundAmongOthers() throws IOException {
        receiver.close();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            payloads.add(i == 17 ? refusedPayload() : numbered(i));
        }
        send(payloads);
        receiver.start();
        await().atMost(SOON).until(() -> status().pending() == 0);
        assertThat(status().counts().deadLettered()).isEqualTo(1);
        assertThat(status().counts().acked()).isEqualTo(39);
        assertThat(new LinkedHashSet<>(arrived())).hasSize(39);
        long identities = records().stream()
                .map(each -> attributes(each.getAttributesList()).get("log.record.uid"))
                .distinct()
                .count();
        assertThat(identities).isEqualTo(40);
    }

    @Test
    void reasonOfARejectedRequestIsShown() throws IOException {
        rejectsWhole = true;
        send(0, 1);
        awaitAll(1);
        send(List.of(refusedPayload()));
        await().atMost(SOON).until(() -> status().counts().deadLettered() == 1);
        assertThat(directory.resolve("data/dead-letters/out.ndjson"))
                .content()
                .contains("\"reason\":\"HTTP 400: bad\"");
    }

    /** An answer that cannot be read does not say that everything is stored. */
    @Test
    void answerThatIsNoneIsNotBelieved() throws IOException {
        ExportLogsServiceResponse rejected = ExportLogsServiceResponse.newBuilder()
                .setPartialSuccess(ExportLogsPartialSuccess.newBuilder()
                        .setRejectedLogRecords(10)
                        .setErrorMessage("x".repeat(2_000)))
                .build();
        receiver.script(bytes(200, Arrays.copyOf(rejected.toByteArray(), 1_000)));
        receiver.script(new Reply(200, Map.of("Content-Type", "text/html"), "<html>It works</html>"));
        receiver.script(new Reply(200, Map.of("Content-Type", "application/json"), "{}"));
        send(0, 10);
        awaitAll(10);
        assertThat(status().retries()).isEqualTo(3);
        assertThat(arrived()).hasSize(10);
    }
}
