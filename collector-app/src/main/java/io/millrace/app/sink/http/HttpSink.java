package io.millrace.app.sink.http;

import io.millrace.app.sink.name.NameLimit;
import io.millrace.deliver.Adjustment;
import io.millrace.deliver.Refusal;
import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LineFormat;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Posts records over HTTP: as lines, to the bulk interface of OpenSearch and Elasticsearch, or to Grafana Loki. One request at
 * a time, so that the order of a shard stays.
 *
 * <p><b>Answers.</b> With a status of success a request is delivered; the bulk interface answers for each record. 400, 413
 * and 422 mean that something in the request is wrong or that it is too long: it is sent again in halves, down to the single
 * record, which is refused, and the search goes on until all that is good was taken. A search is interrupted after {@link #SEARCH_NS}, and goes on
 * with what is left.
 *
 * <p>A server may also answer 400 to everything: plain HTTP to a port for HTTPS, for example. So before the first record of a batch is refused, the
 * server must have taken something of this batch, or answer otherwise to a request without records, or take one of a few records of the
 * batch. Else the output waits; after a minute it refuses one record per attempt, then two, four and so on, so that a batch of nothing but bad records does not
 * stop it forever. All
 * other answers are errors of the destination, and it waits. A server may ask for up to a minute without requests (429 or 503 with {@code Retry-After}).
 *
 * <p>In the bulk interface, a record that is there already (409: it has the same id) counts as delivered. Records of which
 * it says 429, 5xx, or that their index is missing or closed to this user (401, 403, 404) are tried again; with any other
 * error they are refused.
 */
public final class HttpSink implements Sink {
    private static final long MAX_PAUSE_S = 60;

    /** How long one attempt looks for the records that a server rejects. */
    private static final long SEARCH_NS = TimeUnit.SECONDS.toNanos(5);

    static final Duration DOUBT = Duration.ofMinutes(1);

    /** So many records, spread over a batch, are tried alone to see if the server takes any. */
    private static final int SAMPLES = 16;

    /** So many records at most are refused per attempt while the server seems to reject everything. */
    private static final int MAX_DOUBTFUL = 1_000;

    static final int MAX_STREAMS = 2_000;
    static final int MAX_NEW_STREAMS = 500;

    private final HttpSinkSettings settings;
    private final RequestShape shape;
    private final HttpPost post;
    private final LineBuffer body = new LineBuffer();
    private boolean proven;
    private boolean unproven;
    private boolean inDoubt;
    private final long doubtNs;
    private long doubtSinceNs;
    private int allowance = 1;
    private int doubtful;
    private int openAtStart;
    private long searchEndNs;
    private long pauseEndNs = System.nanoTime();

    /**
     * Prepares the sink; it connects when there is something to send.
     *
     * @param format writes a record as a line; JSON for the bulk interface
     * @throws IllegalArgumentException if a header is none that may be set
     */
    public HttpSink(HttpSinkSettings settings, LineFormat format) {
        this(settings, format, new NameLimit(MAX_STREAMS, MAX_NEW_STREAMS, System::nanoTime), DOUBT);
    }

    /**
     * The same with other limits.
     *
     * @param limit of the streams that messages may make
     * @param doubt how long a server that rejects everything is waited for before single records are refused
     */
    HttpSink(HttpSinkSettings settings, LineFormat format, NameLimit limit, Duration doubt) {
        this.doubtNs = doubt.toNanos();
        this.settings = settings;
        this.post = new HttpPost(settings);
        this.shape = switch (settings.shape()) {
            case NDJSON -> new LineShape(format);
            case BULK -> new BulkShape(format, settings.index());
            case LOKI -> new LokiShape(format, settings.labels(), limit);
        };
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        return shape.encode(record, out);
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.RENAMED ? shape.renamed() : 0;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        try {
            long pauseNs = pauseEndNs - System.nanoTime();
            if (pauseNs > 0) {
                throw new IOException(
                        "it asks for no requests for " + (1 + TimeUnit.NANOSECONDS.toSeconds(pauseNs)) + " s more");
            }
            proven = false;
            unproven = false;
            searchEndNs = System.nanoTime() + SEARCH_NS;
            openAtStart = batch.openCount();
            doubtful = inDoubt && System.nanoTime() - doubtSinceNs >= doubtNs ? allowance : 0;
            post(batch, IntStream.range(0, batch.size()).toArray());
        } catch (IOException e) {
            throw new IOException(settings.place() + ": " + e.getMessage(), e);
        }
        batch.done();
    }

    /** Sends what is open of some records: a few may have been sent as samples meanwhile. */
    private void post(SinkBatch batch, int[] some) throws IOException, InterruptedException {
        int[] records = Arrays.stream(some).filter(batch::isOpen).toArray();
        if (records.length == 0) {
            return;
        }
        HttpAnswer answer = ask(batch, records);
        if (isAccepted(answer)) {
            accepted(batch, records, answer);
        } else if (records.length == 1) {
            reject(batch, records[0], answer);
        } else {
            // Never without progress: the next attempt would do the same again.
            if (System.nanoTime() - searchEndNs >= 0 && batch.openCount() < openAtStart) {
                throw new IOException(
                        "it rejects some of the messages, and the search for them goes on: " + answer.text());
            }
            int half = records.length / 2;
            post(batch, Arrays.copyOfRange(records, 0, half));
            post(batch, Arrays.copyOfRange(records, half, records.length));
        }
    }

    /**
     * Sends records, and waits for the answer about them.
     *
     * @throws IOException if the answer is about something else
     */
    private HttpAnswer ask(SinkBatch batch, int[] records) throws IOException, InterruptedException {
        body.clear();
        shape.write(batch, records, body);
        HttpAnswer answer = post.send(body, shape.maxAnswer(records.length));
        if (!answer.isSuccess() && !answer.isAboutContent()) {
            answer.headers().firstValue("retry-after").ifPresent(this::keepPause);
            throw new IOException(answer.text());
        }
        return answer;
    }

    /** An answer that says what became of each record is needed as a whole. */
    private boolean isAccepted(HttpAnswer answer) {
        return answer.isSuccess() && (answer.isWhole() || settings.shape() != HttpSinkSettings.Shape.BULK);
    }

    private void accepted(SinkBatch batch, int[] records, HttpAnswer answer) throws IOException {
        proven = true;
        inDoubt = false;
        allowance = 1;
        shape.answered(batch, records, answer.body());
    }

    /** A single record was rejected: refuses it, unless it seems that the server rejects everything. */
    private void reject(SinkBatch batch, int record, HttpAnswer answer) throws IOException, InterruptedException {
        if (answer.status() == 413) {
            // That a single record is too long is about nothing but this record.
            batch.refuse(record, Refusal.TOO_LONG, text(answer));
        } else if (proven) {
            batch.refuse(record, text(answer));
        } else if (!unproven && isProven(batch, record, answer)) {
            // Perhaps since a moment ago: the record was rejected before.
            int[] again = {record};
            HttpAnswer said = ask(batch, again);
            if (isAccepted(said)) {
                accepted(batch, again, said);
            } else {
                batch.refuse(record, text(said));
            }
        } else {
            doubt(batch, record, answer);
        }
    }

    /** The server rejects everything, as far as is known. */
    private void doubt(SinkBatch batch, int record, HttpAnswer answer) throws IOException {
        if (doubtful > 0) {
            doubtful--;
            batch.refuse(record, text(answer));
            if (doubtful > 0) {
                return;
            }
            allowance = Math.min(MAX_DOUBTFUL, 2 * allowance);
        }
        doubtSinceNs = inDoubt ? doubtSinceNs : System.nanoTime();
        inDoubt = true;
        throw new IOException("whatever it is sent, even a single message, it answers " + text(answer));
    }

    private static String text(HttpAnswer answer) {
        return answer.isSuccess() ? "more than can be read: " + answer.text() : answer.text();
    }

    /** True if the server takes records at all. */
    private boolean isProven(SinkBatch batch, int rejected, HttpAnswer answer)
            throws IOException, InterruptedException {
        body.clear();
        shape.writeEmpty(body);
        HttpAnswer empty = post.send(body, shape.maxAnswer(1));
        proven =
                (empty.isSuccess() && empty.isWhole()) || (empty.isAboutContent() && empty.status() != answer.status());
        int step = Math.max(1, batch.size() / SAMPLES);
        for (int i = rejected % step; i < batch.size() && !proven; i += step) {
            if (batch.isOpen(i) && i != rejected) {
                int[] sample = {i};
                HttpAnswer said = ask(batch, sample);
                if (isAccepted(said)) {
                    accepted(batch, sample, said);
                }
            }
        }
        unproven = !proven;
        return proven;
    }

    @Override
    public void close() {
        post.close();
    }

    /** For so many seconds; a date is ignored, and the usual time between attempts is kept. */
    private void keepPause(String seconds) {
        if (seconds.matches("\\d{1,9}")) {
            pauseEndNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(MAX_PAUSE_S, Long.parseLong(seconds)));
        }
    }
}
