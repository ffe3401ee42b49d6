package io.millrace.output.internal.http.clickhouse;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.http.LineProtocol;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Inserts in the format JSONEachRow over HTTP. An insert is synchronous: it is answered when its rows are in the table. A request names its records
 * by a token, a hash of their identities. So ClickHouse ignores a request that it has executed before, if the table has a deduplication window.
 */
public final class ClickHouseProtocol implements HttpProtocol {
    private static final String EXCEPTION = "X-ClickHouse-Exception-Code";
    private static final Pattern CODE = Pattern.compile("\\A\\s*Code: (\\d{1,9})[.,]");
    private static final String TOO_WIDE = "partitions for single INSERT block";
    private static final int NO_CODE = 0;

    /** The settings of each query. */
    private static final String SETTINGS =
            // Times with a T and a Z.
            "&date_time_input_format=best_effort"
                    // A table needs not have a column for each key.
                    + "&input_format_skip_unknown_fields=1"
                    // Structured data and fields are objects or lists, their columns strings.
                    + "&input_format_json_read_objects_as_strings=1&input_format_json_read_arrays_as_strings=1"
                    // The status is known only when the insert has ended.
                    + "&wait_end_of_query=1"
                    // The rows are in the table, not in a buffer of the server, when it answers.
                    + "&async_insert=0&insert_deduplicate=1";

    private final LineFormat format;
    private final MessageDigest digest;
    private final ByteBuffer identity = ByteBuffer.allocate(2 * Long.BYTES + 2 * Integer.BYTES);

    /** Creates the protocol for rows of a format. */
    public ClickHouseProtocol(LineFormat format) {
        this.format = format;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * The parameters of each request.
     *
     * @param table a table, or a database and a table with a dot between, of letters, digits and underscores
     */
    public static String parameters(String table) {
        String quoted = "`" + table.replace(".", "`.`") + "`";
        return "query=" + URLEncoder.encode("INSERT INTO " + quoted + " FORMAT JSONEachRow", UTF_8) + SETTINGS;
    }

    @Override
    public String contentType() {
        return LineProtocol.CONTENT_TYPE;
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        LineProtocol.line(format, record, out);
        return null;
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        for (int record : records) {
            body.append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    @Override
    public String query(SinkBatch batch, int[] records) {
        digest.reset();
        for (int record : records) {
            identity.clear();
            identity.putLong(batch.journalId())
                    .putInt(batch.shard(record))
                    .putLong(batch.sequence(record))
                    .putInt(batch.part(record));
            digest.update(identity.flip());
        }
        return "insert_deduplication_token=" + HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        // An insert without rows succeeds: user, table and settings are valid.
    }

    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        return answer.isSuccess() && code(answer) == NO_CODE && answer.body().length == 0;
    }

    /** An insert without rows says nothing of rows: if the columns of a table do not fit, it rejects all of them. */
    @Override
    public boolean isProof(HttpAnswer empty, int rejection) {
        return false;
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        int code = code(answer);
        if (code != NO_CODE) {
            ClickHouseError error = ClickHouseError.of(code);
            // Halves of a request have rows of fewer partitions.
            boolean isTooWide = new String(answer.body(), UTF_8).contains(TOO_WIDE);
            if (isTooWide || (error == null ? answer.isAboutContent() : error.isOfRow())) {
                return HttpVerdict.some(answer, answer.text());
            }
            String remedy = error == null || error.remedy().isEmpty() ? "" : " (" + error.remedy() + ")";
            throw new IOException(answer.text() + remedy);
        }
        if (answer.isSuccess() && answer.body().length > 0) {
            throw new IOException("the answer is not that of an insert into ClickHouse: " + answer.text());
        }
        return HttpVerdict.byStatus(answer);
    }

    /** The code of an error. It is in the header, also if the status says success because the answer had begun before; or in the text. */
    private static int code(HttpAnswer answer) {
        String header = answer.headers().firstValue(EXCEPTION).orElse("");
        if (header.matches("\\d{1,9}")) {
            return Integer.parseInt(header);
        }
        Matcher text = CODE.matcher(new String(answer.body(), UTF_8));
        return text.find() ? Integer.parseInt(text.group(1)) : NO_CODE;
    }
}
