package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.deliver.SinkBatch;
import io.millrace.format.JsonFormat;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import io.millrace.format.RecordField;
import io.millrace.format.TemplateFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The push interface of Grafana Loki: lines by stream, which is by labels, each with its receive time. Time stamps of messages
 * are in the line; Loki does not take those that are too old, and records in a stream should come in their order.
 */
final class LokiShape implements RequestShape {
    /** A label; without a field it is a text. */
    private record Label(String key, @Nullable RecordField field, TemplateFormat value) {}

    private final LineFormat format;
    private final List<Label> labels = new ArrayList<>();
    private final LineBuffer line = new LineBuffer();
    private final LineBuffer stream = new LineBuffer();
    private byte[] lastStream = {};
    private String lastTag = "";

    LokiShape(LineFormat format, Map<String, String> labels) {
        this.format = format;
        labels.forEach((name, value) -> this.labels.add(
                new Label("\"" + name + "\":", HttpSinkSettings.field(value), TemplateFormat.of(value))));
    }

    /** Appends the line as a JSON string; the labels as a JSON object are the tag. */
    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        line.clear();
        format.write(record, line);
        JsonFormat.string(line.array(), 0, line.length() - 1, out);
        stream.clear();
        for (Label label : labels) {
            if (label.field() == null || label.field().isIn(record)) {
                append(stream.length() == 0 ? "{" : ",", stream);
                append(label.key(), stream);
                line.clear();
                label.value().write(record, line);
                JsonFormat.string(line.array(), 0, line.length() - 1, stream);
            }
        }
        append("}", stream);
        if (!Arrays.equals(stream.array(), 0, stream.length(), lastStream, 0, lastStream.length)) {
            lastStream = Arrays.copyOf(stream.array(), stream.length());
            lastTag = stream.toString();
        }
        return lastTag;
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
    public void answered(SinkBatch batch, int[] records, byte[] answer) {
        for (int record : records) {
            batch.accept(record);
        }
    }
}
