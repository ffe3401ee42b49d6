package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The bulk interface of OpenSearch and Elasticsearch: an action line, then the record. The id of a document is the
 * record's position in the journal, so a resent record does not become a second document.
 */
final class BulkShape implements RequestShape {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("uuuu.MM.dd", Locale.ROOT);
    private static final long DAY_NS = TimeUnit.DAYS.toNanos(1);

    private final LineFormat format;
    private final String index;
    private long journalId;
    private long day = Long.MIN_VALUE;
    private byte[] action = {};

    BulkShape(LineFormat format, String index) {
        this.format = format;
        this.index = index;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        LineShape.line(format, record, out);
        return null;
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        for (int record : records) {
            byte[] begin = action(batch.journalId(), batch.receiveTimeNs(record));
            String part = batch.part(record) == SinkBatch.NO_PART ? "" : "-" + batch.part(record);
            byte[] rest = (batch.shard(record) + "-" + batch.sequence(record) + part + "\"}}\n").getBytes(UTF_8);
            body.append(begin, 0, begin.length).append(rest, 0, rest.length);
            body.append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    /** The minimum body of a bulk request. */
    @Override
    public void writeEmpty(LineBuffer body) {
        append("\n", body);
    }

    /** The usual size of an item in the response; a reason may quote the record. */
    @Override
    public int maxAnswer(int records) {
        return (64 << 10) + 512 * records;
    }

    /** The constant part of the action lines of one day. */
    private byte[] action(long journal, long timeNs) {
        long today = Math.floorDiv(timeNs, DAY_NS);
        if (today != day || journal != journalId) {
            String date =
                    LocalDate.ofEpochDay(today).atStartOfDay(ZoneOffset.UTC).format(DAY);
            byte[] name = index.replace("{date}", date).getBytes(UTF_8);
            LineBuffer line = new LineBuffer();
            append("{\"create\":{\"_index\":", line);
            JsonFormat.string(name, 0, name.length, line);
            append(",\"_id\":\"" + HexFormat.of().toHexDigits(journal) + "-", line);
            action = line.toString().getBytes(UTF_8);
            day = today;
            journalId = journal;
        }
        return action;
    }

    private static void append(String text, LineBuffer line) {
        byte[] bytes = text.getBytes(UTF_8);
        line.append(bytes, 0, bytes.length);
    }

    @Override
    public void answered(SinkBatch batch, int[] records, byte[] answer) throws IOException {
        BulkAnswer.read(answer, batch, records);
    }
}
