package io.millrace.output.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpPost;
import io.millrace.output.internal.name.NameLimit;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Refusal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The sink that posts records over HTTP: as lines, to the bulk interface of OpenSearch and Elasticsearch, or to Grafana
 * Loki. One request at a time, which keeps the order of a shard.
 *
 * <p><b>Responses.</b> A success status means that the request is delivered; a bulk response has a status per record.
 * 400, 413 and 422 mean that a record is invalid or the request too long. The request is then halved until the single
 * record is found, which is rejected. The search ends when all valid records are delivered. It pauses after {@link
 * #SEARCH} and continues with the remaining records.
 *
 * <p>A server may answer 400 to everything, such as an HTTPS port to plain HTTP. So before the first record of a batch
 * is rejected, the server must have accepted a part of the batch, or answer otherwise to a request without records, or
 * accept one of a few sample records. Else the output waits. After a minute it rejects one record per attempt, then
 * two, four and so on, so that a batch with only invalid records does not block it forever. All other responses are
 * errors of the destination, and the output waits. A server may request a pause of up to a minute (429 or 503 with
 * {@code Retry-After}).
 *
 * <p>In the bulk interface, a record that exists (409: same id) counts as delivered. Records with 429, 5xx, or a
 * missing or forbidden index (401, 403, 404) are retried; with any other error they are rejected.
 */
final class HttpSink implements Sink {
    private static final long MAX_PAUSE_S = 60;

    /** The time limit of the search for rejected records in one attempt. */
    static final Duration SEARCH = Duration.ofSeconds(5);

    static final Duration DOUBT = Duration.ofMinutes(1);

    /** The number of sample records, spread over a batch, that test if the server accepts any. */
    private static final int SAMPLES = 16;

    /** The maximum number of records rejected per attempt while the server seems to reject everything. */
    private static final int MAX_DOUBTFUL = 1_000;

    private final HttpSettings settings;
    private final RequestShape shape;
    private final HttpPost post;
    private final LineBuffer body = new LineBuffer();
    private boolean proven;
    private boolean unproven;
    private boolean inDoubt;
    private final long doubtNs;
    private final long searchNs;
    private long doubtSinceNs;
    private int allowance = 1;
    private int doubtful;
    private int openAtStart;
    private long searchEndNs;
    private long pauseEndNs = System.nanoTime();

    /**
     * Creates the sink, which connects on demand.
     *
     * @param limit the limit of streams from messages
     * @param doubt the time before single records are rejected at a server that rejects everything
     * @param search the time limit of the search for rejected records in one attempt
     * @throws IllegalArgumentException if a header must not be set
     */
    HttpSink(HttpSettings settings, NameLimit limit, Duration doubt, Duration search) {
        this.doubtNs = doubt.toNanos();
        this.searchNs = search.toNanos();
        this.settings = settings;
        this.post = settings.post();
        this.shape = settings.form(limit);
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
            searchEndNs = System.nanoTime() + searchNs;
            openAtStart = batch.openCount();
            doubtful = inDoubt && System.nanoTime() - doubtSinceNs >= doubtNs ? allowance : 0;
            post(batch, IntStream.range(0, batch.size()).toArray());
        } catch (IOException e) {
            throw new IOException(settings.place() + ": " + e.getMessage(), e);
        }
        batch.done();
    }

    /** Sends the unsettled ones of some records; some may have been sent as samples. */
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
            // Never without progress, because the next attempt would repeat the same.
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
     * Sends records and waits for the response.
     *
     * @throws IOException if the response is an error of the destination
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

    /** A response with a status per record must be complete. */
    private boolean isAccepted(HttpAnswer answer) {
        return answer.isSuccess() && (answer.isWhole() || settings.shape() != HttpSettings.Shape.BULK);
    }

    private void accepted(SinkBatch batch, int[] records, HttpAnswer answer) throws IOException {
        proven = true;
        inDoubt = false;
        allowance = 1;
        shape.answered(batch, records, answer.body());
    }

    /** A single record was rejected: it becomes a dead letter, unless the server seems to reject everything. */
    private void reject(SinkBatch batch, int record, HttpAnswer answer) throws IOException, InterruptedException {
        if (answer.status() == 413) {
            // A record that is too long says nothing about the server.
            batch.refuse(record, Refusal.TOO_LONG, text(answer));
        } else if (proven) {
            batch.refuse(record, text(answer));
        } else if (!unproven && isProven(batch, record, answer)) {
            // The server may reject everything only since this moment.
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

    /** The server seems to reject everything. */
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
    public void refresh() {
        post.refresh();
    }

    @Override
    public void close() {
        post.close();
    }

    /** A number of seconds; for a date the usual retry interval is used. */
    private void keepPause(String seconds) {
        if (seconds.matches("\\d{1,9}")) {
            pauseEndNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(MAX_PAUSE_S, Long.parseLong(seconds)));
        }
    }
}
