package io.millrace.output.internal.http.splunk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.internal.format.JsonFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.SyslogMessage;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpProtocol;
import io.millrace.output.internal.http.HttpReceipts;
import io.millrace.output.internal.http.HttpVerdict;
import io.millrace.output.internal.http.LineProtocol;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP Event Collector: events with their metadata, one after the other, or raw lines, whose metadata is in the URL. It checks a request event by
 * event and stops at the first invalid one, and whether it keeps those before is not documented. So a request with an invalid event is
 * sent again in halves.
 */
public final class HecProtocol implements HttpProtocol {
    /** The path of the collector; its interfaces are below. */
    public static final String PATH = "/services/collector";

    private static final int NANOS_DIGITS = 9;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final LineFormat format;
    private final boolean raw;
    private final Map<String, HecMetadata> metadata;
    private final @Nullable HecIndexes indexes;
    private final @Nullable HecAcks acks;

    /** The parameters of each request. */
    private final String parameters;

    private final LineBuffer text = new LineBuffer();

    /**
     * Creates the protocol for events of a format.
     *
     * @param raw true for lines instead of events; then metadata and index are constant
     * @param metadata templates by the names of Splunk: {@code host}, {@code source}, {@code sourcetype}
     * @param indexes the names of indexes; null for that of the token
     * @param acks indexer acknowledgement; null without
     */
    public HecProtocol(
            LineFormat format,
            boolean raw,
            Map<String, HecMetadata> metadata,
            @Nullable HecIndexes indexes,
            @Nullable HecAcks acks) {
        this.format = format;
        this.raw = raw;
        this.metadata = metadata;
        this.indexes = indexes;
        this.acks = acks;
        StringBuilder query = new StringBuilder();
        if (raw) {
            metadata.forEach((name, value) -> parameter(name, value.constant(), query));
            if (indexes != null) {
                parameter("index", indexes.toString(), query);
            }
            if (acks == null) {
                // Required by this interface, also without acknowledgement.
                parameter("channel", HecAcks.newChannel(), query);
            }
        }
        this.parameters = query.toString();
    }

    private static void parameter(String name, String value, StringBuilder query) {
        query.append(query.length() == 0 ? "" : "&").append(name).append('=').append(URLEncoder.encode(value, UTF_8));
    }

    @Override
    public String contentType() {
        return raw ? "text/plain; charset=utf-8" : "application/json";
    }

    @Override
    public @Nullable HttpReceipts receipts() {
        return acks;
    }

    /** Appends the event with its metadata, or the line. */
    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        if (raw) {
            int begin = out.length();
            LineProtocol.line(format, record, out);
            checkNotBlank(out, begin);
            return null;
        }
        out.ascii("{\"time\":");
        time(record, out);
        metadata.forEach((name, value) -> {
            if (value.write(record, text)) {
                out.ascii(",\"").ascii(name).ascii("\":");
                HecMetadata.json(text, out);
            }
        });
        if (indexes != null) {
            out.ascii(",\"index\":\"").ascii(indexes.of(record)).put('"');
        }
        out.ascii(",\"event\":");
        if (format.isJson()) {
            format.write(record, out);
            out.end(out.length() - 1);
        } else {
            text.clear();
            format.write(record, text);
            checkNotBlank(text, 0);
            JsonFormat.string(text.array(), 0, text.length() - 1, out);
        }
        out.ascii("}\n");
        return null;
    }

    /** Seconds since the epoch, with nanoseconds. Splunk knows no time before it: then the receive time counts. */
    private static void time(LogRecord record, LineBuffer out) {
        long timeNs = record.message().timestampNs();
        if (timeNs == SyslogMessage.NO_TIME || timeNs < 0) {
            timeNs = Math.max(0, record.receiveTimeNs());
        }
        out.number(timeNs / SECOND_NS).put('.').number(timeNs % SECOND_NS, NANOS_DIGITS);
    }

    /** Splunk rejects a blank event, and drops a blank raw line without a word. */
    private static void checkNotBlank(LineBuffer line, int begin) {
        byte[] b = line.array();
        for (int i = begin; i < line.length(); i++) {
            if (b[i] > ' ' || b[i] < 0) {
                return;
            }
        }
        throw new IllegalArgumentException("it is blank in this format, and Splunk accepts no blank event");
    }

    @Override
    public void write(SinkBatch batch, int[] records, LineBuffer body) {
        for (int record : records) {
            body.append(batch.array(), batch.begin(record), batch.end(record));
        }
    }

    @Override
    public String query(SinkBatch batch, int[] records) {
        return emptyQuery();
    }

    @Override
    public String emptyQuery() {
        String channel = acks == null ? "" : "channel=" + acks.channel();
        return parameters + (parameters.isEmpty() || channel.isEmpty() ? "" : "&") + channel;
    }

    @Override
    public void writeEmpty(LineBuffer body) {
        // Splunk answers a body without events with an error code of its own.
    }

    /** Splunk has checked token and channel, and says that there is no event. */
    @Override
    public boolean isAnswerToNothing(HttpAnswer answer) {
        HecAnswer read = HecAnswer.of(answer);
        return read != null && (read.code() == 0 || read.code() == HecError.NO_DATA.code());
    }

    /** Splunk has read the request: what it rejects is invalid. */
    @Override
    public boolean isProof(HttpAnswer empty, int rejection) {
        return isAnswerToNothing(empty);
    }

    @Override
    public HttpVerdict judge(HttpAnswer answer, int records) throws IOException {
        HecAnswer read = HecAnswer.of(answer);
        if (read == null || read.code() == HecAnswer.NONE) {
            if (answer.isSuccess()) {
                throw new IOException("the answer is not that of a Splunk HTTP Event Collector: " + answer.text());
            }
            return HttpVerdict.byStatus(answer);
        }
        HecError error = HecError.of(read.code());
        if (error == null && answer.isSuccess()) {
            // Codes of success warn of full queues, too.
            if (acks != null) {
                acks.taken(read);
            }
            return HttpVerdict.all();
        }
        if (error == null) {
            return HttpVerdict.byStatus(answer);
        }
        String reason = answer.text() + (error.remedy().isEmpty() ? "" : " (" + error.remedy() + ")");
        return switch (error.fault()) {
            case RECORD -> HttpVerdict.some(answer, reason, read.event());
            case DESTINATION -> throw new IOException(reason);
            case INDEX -> {
                if (indexes != null && indexes.areOfMessages()) {
                    yield HttpVerdict.some(answer, reason, read.event());
                }
                throw new IOException(reason);
            }
        };
    }

    @Override
    public long renamed() {
        return indexes == null ? 0 : indexes.renamed();
    }
}
