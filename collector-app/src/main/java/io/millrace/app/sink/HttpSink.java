package io.millrace.app.sink;

import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Posts records over HTTP: as lines, to the bulk interface of OpenSearch and Elasticsearch, or to Grafana Loki. One request at
 * a time, so that the order of a shard stays.
 *
 * <p><b>Answers.</b> With a status of success a request is delivered; the bulk interface answers for each record. 400, 413
 * and 422 mean that something in the request is wrong or that it is too long: it is sent again in halves, down to the single
 * record, which is refused. If nothing of a batch is taken, though, and all for the same reason, then it is not the records:
 * plain HTTP to a port for HTTPS, for example, is a 400 whatever is in it. That and all else is tried again until it works: the
 * server is busy or away, or the settings, there or here, are to be mended. A server may ask for up to a minute of peace (429 or 503 with {@code Retry-After}).
 *
 * <p>In the bulk interface, a record that is there already (409: it has the same id) counts as delivered. Records of which
 * it says 429, 5xx, or that their index is missing or closed to this user (401, 403, 404) are tried again; with any other
 * error they are refused.
 */
public final class HttpSink implements Sink {
    private static final long MOST_PEACE_S = 60;

    /** So many records are tried on their own before the server has taken anything of a batch. */
    private static final int MOST_DOUBTFUL = 32;

    private final HttpSinkSettings settings;
    private final RequestShape shape;
    private final HttpPost post;
    private final LineBuffer body = new LineBuffer();
    private final List<Refusal> doubtful = new ArrayList<>();
    private boolean proven;
    private long peaceEndNs = System.nanoTime();

    /** A record that was refused on its own, before the server took any request of its batch. */
    private record Refusal(int record, HttpAnswer answer) {}

    /**
     * Prepares the sink; it connects when there is something to send.
     *
     * @param format writes a record as a line; JSON for the bulk interface
     * @throws IllegalArgumentException if a header is none that may be set
     */
    public HttpSink(HttpSinkSettings settings, LineFormat format) {
        this.settings = settings;
        this.post = new HttpPost(settings);
        this.shape = switch (settings.shape()) {
            case NDJSON -> new LineShape(format);
            case BULK -> new BulkShape(format, settings.index());
            case LOKI -> new LokiShape(format, settings.labels());
        };
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        return shape.encode(record, out);
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        try {
            long peaceNs = peaceEndNs - System.nanoTime();
            if (peaceNs > 0) {
                throw new IOException(
                        "it asks for peace for " + (1 + TimeUnit.NANOSECONDS.toSeconds(peaceNs)) + " s more");
            }
            int[] records =
                    IntStream.range(0, batch.size()).filter(batch::isOpen).toArray();
            doubtful.clear();
            if (records.length > 0) {
                post(batch, records);
            }
            if (records.length > 1 && doubtful.size() > 1 && isOneReason()) {
                throw allRefused();
            }
            refuseDoubtful(batch);
        } catch (IOException e) {
            throw new IOException(settings.place() + ": " + e.getMessage(), e);
        }
        proven = false;
        batch.done();
    }

    private void post(SinkBatch batch, int[] records) throws IOException, InterruptedException {
        body.clear();
        shape.write(batch, records, body);
        HttpAnswer answer = post.send(body);
        if (answer.isSuccess()) {
            // Also for what is left of this batch if it has to be sent again.
            proven = true;
            refuseDoubtful(batch);
            shape.answered(batch, records, answer.body());
        } else if (!answer.isAboutContent()) {
            answer.headers().firstValue("retry-after").ifPresent(this::keepPeace);
            throw new IOException(answer.text());
        } else if (records.length == 1) {
            refuse(batch, records[0], answer);
        } else {
            int half = records.length / 2;
            post(batch, Arrays.copyOfRange(records, 0, half));
            post(batch, Arrays.copyOfRange(records, half, records.length));
        }
    }

    private void refuse(SinkBatch batch, int record, HttpAnswer answer) throws IOException {
        // That a single record is too long is about nothing but this record.
        if (proven || answer.status() == 413) {
            batch.refuse(record, answer.text());
            return;
        }
        doubtful.add(new Refusal(record, answer));
        if (doubtful.size() >= MOST_DOUBTFUL && isOneReason()) {
            throw allRefused();
        }
    }

    private boolean isOneReason() {
        return doubtful.stream().mapToInt(it -> it.answer().status()).distinct().count() == 1;
    }

    private IOException allRefused() {
        return new IOException("whatever it is sent, even a single message, it answers "
                + doubtful.get(0).answer().text());
    }

    private void refuseDoubtful(SinkBatch batch) {
        doubtful.forEach(it -> batch.refuse(it.record(), it.answer().text()));
        doubtful.clear();
    }

    @Override
    public void close() {
        post.close();
    }

    /** For so many seconds; a date is ignored, and the usual time between attempts is kept. */
    private void keepPeace(String seconds) {
        if (seconds.matches("\\d{1,9}")) {
            peaceEndNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(MOST_PEACE_S, Long.parseLong(seconds)));
        }
    }
}
