package io.millrace.output.internal.http.elasticsearch;

import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.http.LineProtocol;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * The bulk interface of Elasticsearch and OpenSearch: an action line, then the record. The id of a document is the
 * record's position in the journal, so a resent record does not become a second document.
 */
public final class BulkProtocol implements HttpProtocol {
    /** The path of the interface. */
    public static final String PATH = "/_bulk";

    private static final int BAD_REQUEST = 400;

    private final LineFormat format;
    private final IndexNames indexes;
    private long journalId;
    private byte[] journal = {};

    /** Creates the protocol for documents of a format. */
    public BulkProtocol(LineFormat format, IndexNames indexes) {
        this.format = format;
        this.indexes = indexes;
    }

    @Override
    public String contentType() {
        return LineProtocol.CONTENT_TYPE;
    }

    /** Appends the document; the tag is the beginning of its action line. */
    @Override
    public Object encode(LogRecord record, LineBuffer out) {
        LineProtocol.line(format, record, out);
        return indexes.of(record);
    }

    @Override
    public long renamed() {
        return indexes.renamed();
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        byte[] id = journal(batch.journalId());
        for (int record : records) {
            body.append((byte[]) Objects.requireNonNull(batch.tag(record))).append(id);
            body.number(batch.shard(record)).put('-').number(batch.sequence(record));
            if (batch.part(record) != SinkBatch.NO_PART) {
                body.put('-').number(batch.part(record));
            }
            body.ascii("\"}}\n").append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    private byte[] journal(long id) {
        if (journal.length == 0 || id != journalId) {
            journal = LineBuffer.bytes(HexFormat.of().toHexDigits(id) + "-");
            journalId = id;
        }
        return journal;
    }

    /** The action line of an index, up to the id. */
    static byte[] action(String index) {
        LineBuffer line = new LineBuffer();
        byte[] name = LineBuffer.utf8(index);
        line.ascii("{\"create\":{\"_index\":");
        JsonFormat.string(name, 0, name.length, line);
        line.ascii(",\"_id\":\"");
        return LineBuffer.utf8(line.toString());
    }

    /** The minimum body of a bulk request. */
    @Override
    public void writeEmpty(LineBuffer body) {
        body.put('\n');
    }

    /** A request without documents is answered with 400 in JSON. */
    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isJson() && answer.isWhole() && (answer.isSuccess() || answer.status() == BAD_REQUEST);
    }

    /** The usual size of an item in the answer; a reason may quote the record. */
    @Override
    public int maxAnswer(int records) {
        return (64 << 10) + 512 * records;
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        if (!answer.isSuccess()) {
            return HttpVerdict.byStatus(answer);
        }
        if (answer.isPage()) {
            return HttpVerdict.byStatusOf("a bulk interface", answer);
        }
        return answer.isWhole()
                ? BulkAnswer.read(answer.body(), records, indexes.areOfMessages())
                : HttpVerdict.some(answer, "more than can be read: " + answer.text());
    }
}
