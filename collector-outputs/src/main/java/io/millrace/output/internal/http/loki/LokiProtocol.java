package io.millrace.output.internal.http.loki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.output.internal.name.NameSettings;
import io.millrace.output.internal.name.NameTemplate;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The push interface of Grafana Loki: lines by stream, which is a set of labels, each with its receive time. Timestamps
 * of messages stay in the line, because Loki rejects old times, and the records of a stream should be in order.
 *
 * <p>A server has a limit of streams, beyond which it answers 429 to all. So the number of streams from fields is
 * limited: further records have {@value NameTemplate#OTHER} as the value of each label with a field.
 */
public final class LokiProtocol implements HttpProtocol {
    /** The labels of a stream. */
    public static final Setting<Map<String, String>> LABELS = Setting.optional(
            "labels",
            SettingTypes.TEXT_BY_NAME,
            "job: millrace",
            "Labels by name. A value is a text, or a field in braces with few values, such as `{hostname}`. A label whose field a"
                    + " message does not have is left out; a message without any label gets `job: millrace`.");

    /** The limits of streams. */
    public static final NameSettings NAMES = NameSettings.of(
            "streams of Loki", 2_000, 500, "Further messages have `@other` as the value of each label with a field.");

    /** The path of the interface. */
    public static final String PATH = "/loki/api/v1/push";

    private static final int UNPROCESSABLE = 422;

    /** A label; without a field it is a text. */
    private record Label(String key, @Nullable RecordField field, TemplateFormat value) {}

    /** Loki accepts 2,048 characters. A truncated character becomes U+FFFD. */
    private static final int MAX_LABEL_BYTES = 1024;

    /** The stream of a record without a value for any label. Loki rejects one without labels. */
    private static final String NO_LABELS = "{\"job\":\"millrace\"}";

    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");

    /** Fields that differ in every record: as a label, one would make a stream a record. */
    private static final Set<RecordField> TOO_MANY_VALUES = Set.of(
            RecordField.TIMESTAMP,
            RecordField.RECEIVE_TIME,
            RecordField.SEQUENCE,
            RecordField.STRUCTURED_DATA,
            RecordField.MESSAGE,
            RecordField.RAW);

    /** Fields that every record has. */
    private static final Set<RecordField> ALWAYS = Set.of(
            RecordField.FACILITY,
            RecordField.SEVERITY,
            RecordField.SOURCE_IP,
            RecordField.SOURCE_PORT,
            RecordField.INPUT,
            RecordField.SHARD,
            RecordField.PARSE,
            RecordField.BODY);

    private final LineFormat format;
    private final List<Label> labels = new ArrayList<>();
    private final LineBuffer line = new LineBuffer();
    private final LineBuffer stream = new LineBuffer();
    private final NameLimit limit;
    private final LongAdder renamed = new LongAdder();
    private byte[] lastStream = {};
    private String lastTag = "";
    private boolean lastAdmitted;

    /**
     * Creates the protocol for lines of a format.
     *
     * @param labels as {@link #LABELS}
     */
    public LokiProtocol(LineFormat format, @Nullable Map<String, String> labels, NameLimit limit) {
        this.format = format;
        this.limit = limit;
        labels(labels)
                .forEach((name, value) ->
                        this.labels.add(new Label("\"" + name + "\":", field(value), TemplateFormat.of(value))));
    }

    /** By name, in a constant order. */
    private static Map<String, String> labels(@Nullable Map<String, String> given) {
        return new TreeMap<>(given == null ? Map.of("job", "millrace") : given);
    }

    @Override
    public String contentType() {
        return "application/json";
    }

    /**
     * Checks the labels of a configuration.
     *
     * @throws SettingException if one cannot be used
     */
    public static void checkLabels(@Nullable Map<String, String> given) {
        Map<String, String> labels = labels(given);
        boolean always = false;
        for (Map.Entry<String, String> label : labels.entrySet()) {
            String name = label.getKey();
            String value = label.getValue();
            check(LABEL.matcher(name).matches(), "the name '" + name + "'", "letters, digits and underscores");
            RecordField field = field(value);
            boolean text = !value.isBlank() && !value.contains("{") && !value.contains("}");
            check(
                    text || (field != null && !TOO_MANY_VALUES.contains(field)),
                    name + "=" + value,
                    "a text, or a field with few values in braces, such as {hostname}");
            always |= text || ALWAYS.contains(field);
        }
        check(always, labels.toString(), "at least one that every record has: a text, or a field such as {facility}");
    }

    private static void check(boolean good, String got, String takes) {
        if (!good) {
            throw new SettingException(LABELS, "accepts " + takes + ", not " + got);
        }
    }

    /** The field in braces; null if it is a text. */
    private static @Nullable RecordField field(String value) {
        boolean braces = value.startsWith("{") && value.endsWith("}");
        return braces ? RecordField.of(value.substring(1, value.length() - 1)) : null;
    }

    /** Appends the line as a JSON string; the tag is the labels as a JSON object. */
    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        line.clear();
        format.write(record, line);
        JsonFormat.string(line.array(), 0, line.length() - 1, out);
        stream.clear();
        labels(record, false);
        if (!lastAdmitted || !Arrays.equals(stream.array(), 0, stream.length(), lastStream, 0, lastStream.length)) {
            lastStream = Arrays.copyOf(stream.array(), stream.length());
            lastTag = stream.toString();
            lastAdmitted = labels.stream().noneMatch(label -> label.field() != null) || limit.admits(lastTag);
            if (!lastAdmitted) {
                stream.clear();
                labels(record, true);
                lastTag = stream.toString();
            }
        }
        if (!lastAdmitted) {
            renamed.increment();
        }
        return lastTag;
    }

    @Override
    public long renamed() {
        return renamed.sum();
    }

    /** Appends the labels of a record to the name of its stream, with the fields' values or the fallback value. */
    private void labels(LogRecord record, boolean others) {
        for (Label label : labels) {
            if (hasValue(label, record, others)) {
                append(stream.length() == 0 ? "{" : ",", stream);
                append(label.key(), stream);
                JsonFormat.string(line.array(), 0, Math.min(line.length() - 1, MAX_LABEL_BYTES), stream);
            }
        }
        append(stream.length() == 0 ? NO_LABELS : "}", stream);
    }

    /** Writes the value of a label to the line; false if the record has none, or an empty one, which is none to Loki. */
    private boolean hasValue(Label label, LogRecord record, boolean others) {
        if (label.field() != null && !label.field().isIn(record)) {
            return false;
        }
        line.clear();
        if (others && label.field() != null) {
            append(NameTemplate.OTHER + "\n", line);
        } else {
            label.value().write(record, line);
        }
        return line.length() > 1;
    }

    private static void append(String text, LineBuffer to) {
        byte[] bytes = text.getBytes(UTF_8);
        to.append(bytes, 0, bytes.length);
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        Map<String, List<Integer>> streams = new LinkedHashMap<>();
        for (int record : records) {
            streams.computeIfAbsent(String.valueOf(batch.tag(record)), labelSet -> new ArrayList<>())
                    .add(record);
        }
        String before = "{\"streams\":[";
        for (Map.Entry<String, List<Integer>> each : streams.entrySet()) {
            append(before + "{\"stream\":" + each.getKey() + ",\"values\":[", body);
            each.getValue().sort(Comparator.comparingLong(batch::receiveTimeNs));
            String separator = "[\"";
            for (int record : each.getValue()) {
                append(separator + batch.receiveTimeNs(record) + "\",", body);
                body.append(batch.array(), batch.begin(record), batch.end(record));
                separator = "],[\"";
            }
            append("]]}", body);
            before = ",";
        }
        append("]}", body);
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        append("{\"streams\":[]}", body);
    }

    /** A request without streams is answered with 422. */
    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        return (answer.isSuccess() && !answer.isPage()) || answer.status() == UNPROCESSABLE;
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        return HttpVerdict.byStatusOf("Loki", answer);
    }
}
