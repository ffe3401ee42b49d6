package io.millrace.output.internal.http;

import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
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
 * The sink that posts records over HTTP, for all destinations. One request at a time, which keeps the order of a shard.
 *
 * <p><b>Answers.</b> The protocol reads an answer as a {@link HttpVerdict}. If a record is invalid and the answer does not say which, the request
 * is halved until the single record is found, which is rejected. The search ends when all valid records are delivered. It pauses after {@link
 * #SEARCH} and continues with the remaining records.
 *
 * <p>A server may answer 400 to everything, such as an HTTPS port to plain HTTP. So before the first record of a batch
 * is rejected, the server must have accepted a part of the batch, or answer otherwise to a request without records, or
 * accept one of a few sample records. Else the output waits. After a minute it rejects one record per attempt, then
 * two, four and so on, so that a batch with only invalid records does not block it forever. Of a known interface, a server that does not answer a
 * request without records as it should is another one, and the output waits for as long as it takes. A known server, which answers a request without records
 * as it should, is not suspected before {@value #ALIKE} records in a row are rejected alike: then the table or index is at fault, not the records.
 *
 * <p>All other answers are errors of the destination, and the output waits. A server may request a pause of up to a minute (with {@code
 * Retry-After}).
 */
public final class HttpSink implements Sink {
    private static final long MAX_PAUSE_S = 60;

    /** The time limit of the search for rejected records in one attempt. */
    public static final Duration SEARCH = Duration.ofSeconds(5);

    /** The time before single records are rejected at a server that rejects everything. */
    public static final Duration DOUBT = Duration.ofMinutes(1);

    /** The number of sample records, spread over a batch, that test if the server accepts any. */
    private static final int SAMPLES = 16;

    /** How many records in a row with the same error are not the fault of the records. */
    static final int ALIKE = 10;

    /** How often per attempt a destination is believed which record is invalid: each time, what comes after it is sent again. */
    private static final int MAX_HINTS = 16;

    /** The maximum number of records rejected per attempt while the server seems to reject everything. */
    private static final int MAX_DOUBTFUL = 1_000;

    private final String place;
    private final HttpProtocol protocol;
    private final HttpPost post;
    private final @Nullable HttpReceipts receipts;
    private final LineBuffer body = new LineBuffer();
    /** Of the records of a batch: taken in this attempt, without a receipt yet. */
    private boolean[] taken = {};

    private boolean proven;
    private boolean unproven;
    /** True if the server answers a request without records as it should; said of the current batch, if the server was asked. */
    private boolean isRightServer;

    private boolean inDoubt;
    private final long doubtNs;
    private final long searchNs;
    private long doubtSinceNs;
    private int allowance = 1;
    private int doubtful;
    private int openAtStart;
    private int hints;
    private long searchEndNs;
    private long pauseEndNs = System.nanoTime();

    /** The error of the last records, all of which were rejected, and their number. */
    private @Nullable String lastError;

    private int sameErrors;

    /**
     * Creates the sink, which connects on demand.
     *
     * @param place the URL, for people
     * @param doubt the time before single records are rejected at a server that rejects everything
     * @param search the time limit of the search for rejected records in one attempt
     */
    public HttpSink(String place, HttpPost post, HttpProtocol protocol, Duration doubt, Duration search) {
        this.place = place;
        this.post = post;
        this.protocol = protocol;
        this.receipts = protocol.receipts();
        this.doubtNs = doubt.toNanos();
        this.searchNs = search.toNanos();
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        return protocol.encode(record, out);
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.RENAMED ? protocol.renamed() : 0;
    }

    @Override
    public int maxInFlight() {
        return receipts == null ? 1 : receipts.maxWaiting();
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
            isRightServer = false;
            hints = MAX_HINTS;
            searchEndNs = System.nanoTime() + searchNs;
            openAtStart = batch.openCount();
            doubtful = inDoubt && System.nanoTime() - doubtSinceNs >= doubtNs ? allowance : 0;
            if (receipts != null) {
                taken = new boolean[batch.size()];
                receipts.begin();
            }
            post(batch, IntStream.range(0, batch.size()).toArray());
        } catch (IOException e) {
            throw new IOException(place + ": " + e.getMessage(), e);
        }
        if (receipts == null) {
            batch.done();
        } else {
            receipts.await(batch);
        }
    }

    private boolean isOpen(SinkBatch batch, int record) {
        return batch.isOpen(record) && (receipts == null || !taken[record]);
    }

    /** Sends the unsettled ones of some records; some may have been sent as samples. */
    private void post(SinkBatch batch, int[] some) throws IOException, InterruptedException {
        int[] records = Arrays.stream(some).filter(each -> isOpen(batch, each)).toArray();
        if (records.length == 0) {
            return;
        }
        HttpVerdict verdict = ask(batch, records);
        if (settle(batch, records, verdict)) {
            return;
        }
        if (records.length == 1) {
            reject(batch, records[0], verdict);
            return;
        }
        // Never without progress, because the next attempt would repeat the same.
        if (System.nanoTime() - searchEndNs >= 0 && batch.openCount() < openAtStart) {
            throw new IOException(
                    "it rejects some of the messages, and the search for them goes on: " + verdict.reason());
        }
        int suspect = verdict.suspect();
        if (suspect >= 0 && suspect < records.length && hints > 0) {
            hints--;
            post(batch, Arrays.copyOfRange(records, 0, suspect));
            post(batch, Arrays.copyOfRange(records, suspect, suspect + 1));
            post(batch, Arrays.copyOfRange(records, suspect + 1, records.length));
        } else {
            int half = records.length / 2;
            post(batch, Arrays.copyOfRange(records, 0, half));
            post(batch, Arrays.copyOfRange(records, half, records.length));
        }
    }

    /**
     * Sends records and reads the answer.
     *
     * @throws IOException if the answer is an error of the destination
     */
    private HttpVerdict ask(SinkBatch batch, int[] records) throws IOException, InterruptedException {
        body.clear();
        protocol.write(batch, records, body);
        HttpAnswer answer = post.send(body, protocol.query(batch, records), protocol.maxAnswer(records.length));
        try {
            return protocol.judge(answer, records.length);
        } catch (IOException e) {
            answer.headers().firstValue("retry-after").ifPresent(this::keepPause);
            throw e;
        }
    }

    /**
     * Settles the records of a request, if the answer says something of each.
     *
     * @return false if some are invalid, and it is unknown which
     * @throws IOException if some have to be sent again
     */
    private boolean settle(SinkBatch batch, int[] records, HttpVerdict verdict) throws IOException {
        if (verdict.hasStored()) {
            proven = true;
            inDoubt = false;
            allowance = 1;
            sameErrors = 0;
        }
        if (verdict.isAll()) {
            for (int record : records) {
                take(batch, record);
            }
        } else if (verdict.isEach()) {
            each(batch, records, verdict);
        }
        return verdict.isAll() || verdict.isEach();
    }

    private void take(SinkBatch batch, int record) {
        if (receipts == null) {
            batch.accept(record);
        } else {
            taken[record] = true;
        }
    }

    private void each(SinkBatch batch, int[] records, HttpVerdict verdict) throws IOException {
        String same = verdict.sameError();
        if (same != null) {
            sameErrors = Math.min(ALIKE, same.equals(lastError) ? sameErrors + records.length : records.length);
            lastError = same;
        }
        boolean doubted = same != null && (sameErrors >= ALIKE || verdict.isPatient());
        for (int i = 0; i < records.length; i++) {
            String rejection = verdict.rejection(i);
            if (rejection == null) {
                if (verdict.isStored(i)) {
                    take(batch, records[i]);
                }
            } else if (doubted) {
                doubt(batch, records[i], "whatever it is sent, it answers " + rejection);
            } else {
                batch.refuse(records[i], rejection);
            }
        }
        verdict.checkNoneIsLeft();
    }

    /** A single record was rejected: it becomes a dead letter, unless the server seems to reject everything. */
    private void reject(SinkBatch batch, int record, HttpVerdict verdict) throws IOException, InterruptedException {
        if (verdict.isTooLong()) {
            // A record that is too long says nothing about the server.
            batch.refuse(record, Refusal.TOO_LONG, verdict.reason());
        } else if (proven) {
            batch.refuse(record, verdict.reason());
        } else if (!unproven && isProven(batch, record, verdict)) {
            // The server may reject everything only since this moment.
            int[] again = {record};
            HttpVerdict said = ask(batch, again);
            if (!settle(batch, again, said)) {
                batch.refuse(record, said.reason());
            }
        } else if (isRightServer && sameErrors < ALIKE) {
            // Few rejections are no reason to stop: one message alone in its batch has no other to compare with.
            lastError = null;
            sameErrors++;
            batch.refuse(record, verdict.reason());
        } else {
            String reason = "whatever it is sent, even a single message, it answers " + verdict.reason();
            if (protocol.isKnown() && !isRightServer) {
                throw new IOException(
                        reason + " (is the URL right? To a request without messages it answers like no such server)");
            }
            doubt(batch, record, reason);
        }
    }

    /** The server seems to reject everything. */
    private void doubt(SinkBatch batch, int record, String reason) throws IOException {
        if (doubtful > 0) {
            doubtful--;
            batch.refuse(record, reason);
            if (doubtful > 0) {
                return;
            }
            allowance = Math.min(MAX_DOUBTFUL, 2 * allowance);
        }
        doubtSinceNs = inDoubt ? doubtSinceNs : System.nanoTime();
        inDoubt = true;
        throw new IOException(reason);
    }

    private boolean isProven(SinkBatch batch, int rejected, HttpVerdict verdict)
            throws IOException, InterruptedException {
        body.clear();
        protocol.writeEmpty(body);
        HttpAnswer empty = post.send(body, protocol.emptyQuery(), protocol.maxAnswer(1));
        isRightServer = protocol.isAnswerToNothing(empty);
        proven = protocol.isProof(empty, verdict.status());
        int step = Math.max(1, batch.size() / SAMPLES);
        for (int i = rejected % step; i < batch.size() && !proven; i += step) {
            if (isOpen(batch, i) && i != rejected) {
                int[] sample = {i};
                var unused = settle(batch, sample, ask(batch, sample));
            }
        }
        unproven = !proven;
        return proven;
    }

    @Override
    public void refresh() {
        if (receipts != null) {
            receipts.refresh();
        }
        post.refresh();
    }

    @Override
    public void close() {
        if (receipts != null) {
            receipts.close();
        }
        post.close();
    }

    /** A number of seconds; for a date the usual retry interval is used. */
    private void keepPause(String seconds) {
        if (seconds.matches("\\d{1,9}")) {
            pauseEndNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(MAX_PAUSE_S, Long.parseLong(seconds)));
        }
    }
}
