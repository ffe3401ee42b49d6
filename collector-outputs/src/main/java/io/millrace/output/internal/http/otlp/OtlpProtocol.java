package io.millrace.output.internal.http.otlp;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * <a href="https://opentelemetry.io/docs/specs/otlp/#otlphttp">OTLP over HTTP</a> in Protocol Buffers: the log records of a request are grouped by their
 * host, which is the resource. The attribute {@code log.record.uid} is the identity of a record, by which a duplicate is recognised.
 *
 * <p><b>Partial success.</b> The answer says how many records are rejected, and not which. They are found as invalid records of other destinations are: by
 * sending parts of the request again, so that others arrive more than once, with the same {@code log.record.uid}.
 */
public final class OtlpProtocol implements HttpProtocol {
    /** The path of the interface. */
    public static final String PATH = "/v1/logs";

    // ExportLogsServiceRequest, ResourceLogs, Resource, ScopeLogs.
    private static final int RESOURCE_LOGS = 1;
    private static final int RESOURCE = 1;
    private static final int SCOPE_LOGS = 2;
    private static final int RESOURCE_ATTRIBUTES = 1;
    private static final int SCOPE = 1;
    private static final int SCOPE_NAME = 1;
    private static final int LOG_RECORDS = 2;
    private static final int STRING = 1;

    // ExportLogsServiceResponse, ExportLogsPartialSuccess, google.rpc.Status.
    private static final int PARTIAL_SUCCESS = 1;
    private static final int REJECTED = 1;
    private static final int ERROR_MESSAGE = 2;
    private static final int STATUS_MESSAGE = 2;

    private static final int MAX_ANSWER = 1 << 20;

    private static final byte[] HOST_NAME = LineBuffer.bytes("host.name");
    private static final byte[] SCOPE_VALUE = LineBuffer.bytes("io.millrace");
    private static final byte[] UID = LineBuffer.bytes("log.record.uid");

    private final LogRecordWriter writer = new LogRecordWriter();
    private final LineBuffer identity = new LineBuffer();
    private final LineBuffer attribute = new LineBuffer();
    private final LineBuffer scope = new LineBuffer();
    private final LineBuffer resource = new LineBuffer();
    private final LineBuffer part = new LineBuffer();
    private String lastHost = "";
    private byte[] lastBytes = {};
    private long journalId;
    private byte[] journal = {};

    @Override
    public String contentType() {
        return "application/x-protobuf";
    }

    /** Appends the record without its identity; the tag is the host. */
    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        writer.write(record, out);
        return host(record);
    }

    private String host(LogRecord record) {
        RecordField field = RecordField.HOSTNAME;
        if (!field.isIn(record)) {
            return "";
        }
        byte[] b = field.bytes(record);
        int begin = field.begin(record);
        int end = field.end(record);
        if (!Arrays.equals(b, begin, end, lastBytes, 0, lastBytes.length)) {
            lastBytes = Arrays.copyOfRange(b, begin, end);
            LineBuffer valid = new LineBuffer();
            Protobuf.copyValid(b, begin, end, valid);
            lastHost = valid.toString();
        }
        return lastHost;
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        Map<String, List<Integer>> hosts = new LinkedHashMap<>();
        for (int record : records) {
            hosts.computeIfAbsent(String.valueOf(batch.tag(record)), host -> new ArrayList<>())
                    .add(record);
        }
        hosts.forEach((host, some) -> resourceLogs(host, batch, some, body));
    }

    private void resourceLogs(String host, SinkBatch batch, List<Integer> records, LineBuffer body) {
        scope.clear();
        part.clear();
        Protobuf.bytes(SCOPE_NAME, SCOPE_VALUE, 0, SCOPE_VALUE.length, part);
        Protobuf.bytes(SCOPE, part, scope);
        for (int record : records) {
            identity(batch, record);
            int length = batch.end(record) - batch.begin(record) + attribute.length();
            Protobuf.begin(LOG_RECORDS, length, scope);
            scope.append(batch.array(), batch.begin(record), batch.end(record));
            scope.append(attribute.array(), 0, attribute.length());
        }
        resource.clear();
        part.clear();
        if (!host.isEmpty()) {
            byte[] name = LineBuffer.utf8(host);
            LineBuffer value = new LineBuffer();
            Protobuf.bytes(STRING, name, 0, name.length, value);
            LineBuffer pair = new LineBuffer();
            LogRecordWriter.pair(HOST_NAME, 0, HOST_NAME.length, value, pair);
            Protobuf.bytes(RESOURCE_ATTRIBUTES, pair, part);
        }
        Protobuf.bytes(RESOURCE, part, resource);
        int length =
                resource.length() + Protobuf.sizeOf(SCOPE_LOGS << 3) + Protobuf.sizeOf(scope.length()) + scope.length();
        Protobuf.begin(RESOURCE_LOGS, length, body);
        body.append(resource.array(), 0, resource.length());
        Protobuf.bytes(SCOPE_LOGS, scope, body);
    }

    /** Makes the attribute with the identity. */
    private void identity(SinkBatch batch, int record) {
        if (journal.length == 0 || batch.journalId() != journalId) {
            journalId = batch.journalId();
            journal = LineBuffer.bytes(HexFormat.of().toHexDigits(journalId) + "-");
        }
        identity.clear();
        identity.append(journal).number(batch.shard(record)).put('-').number(batch.sequence(record));
        if (batch.part(record) != SinkBatch.NO_PART) {
            identity.put('-').number(batch.part(record));
        }
        attribute.clear();
        writer.string(UID, identity, attribute);
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        // A request without fields has no bytes.
    }

    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isSuccess() && answer.isWhole() && ProtobufReader.isValid(answer.body());
    }

    /** A reason may be long. */
    @Override
    public int maxAnswer(int records) {
        return MAX_ANSWER;
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        if (!answer.isSuccess()) {
            String said = ProtobufReader.text(answer.body(), STATUS_MESSAGE);
            String text = said == null ? answer.text() : "HTTP " + answer.status() + ": " + shown(said);
            if (answer.isAboutContent()) {
                return HttpVerdict.some(answer, text);
            }
            throw new IOException(text);
        }
        if (!answer.isWhole() || !ProtobufReader.isValid(answer.body())) {
            throw new IOException("the answer is not that of OTLP, or longer than can be read: " + answer.text());
        }
        byte[] partial = ProtobufReader.bytes(answer.body(), PARTIAL_SUCCESS);
        if (partial != null && !ProtobufReader.isValid(partial)) {
            throw new IOException("the answer has an invalid partial success");
        }
        long rejected = partial == null ? 0 : ProtobufReader.number(partial, REJECTED);
        if (partial == null || rejected <= 0) {
            return HttpVerdict.all();
        }
        String reason = rejected + " of " + records + " records were rejected: "
                + shown(ProtobufReader.text(partial, ERROR_MESSAGE));
        return rejected >= records ? HttpVerdict.some(answer, reason) : HttpVerdict.partly(answer, reason);
    }

    private static String shown(@Nullable String said) {
        return HttpAnswer.shorten(Secrets.known().redact(said == null ? "no reason" : said));
    }
}
