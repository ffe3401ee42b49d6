package io.millrace.output.internal.http.splunk;

import io.millrace.internal.agent.FatalErrors;
import io.millrace.message.LineBuffer;
import io.millrace.output.internal.http.HttpAnswer;
import io.millrace.output.internal.http.HttpPost;
import io.millrace.output.internal.http.HttpReceipts;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Indexer acknowledgement. Splunk numbers the requests of a channel, and says for each number whether its events are indexed. It says so once, and
 * forgets the number.
 *
 * <p><b>Channels.</b> A restart of Splunk forgets the channels, and numbers their requests from 0 again. So a number of a batch that is lost could
 * come again, for another batch on the same channel, and the lost batch would count as indexed. Therefore a channel belongs to one batch at a time.
 * It is used for the next one only after all its numbers were acknowledged. If a request of a batch has no answer, or numbers do not grow, the
 * attempt fails, and its channel is never used again. Outputs have as many channels as batches that may wait.
 *
 * <p><b>Threads.</b> The thread of the sink sends; {@code millrace-splunk-acks} asks, once per interval for each batch that waits. It starts with
 * the first batch. A batch that is not acknowledged in time has failed, and is sent again. A query that fails is repeated: it ends nothing.
 */
public final class HecAcks implements HttpReceipts {
    /** The path of the interface. */
    public static final String PATH = "/services/collector/ack";

    private static final int MAX_WAITING = 16;
    private static final int MAX_ANSWER = 1 << 20;
    private static final long MAX_END_MS = 2_000;

    private final String place;
    private final HttpPost post;
    private final Duration timeout;
    private final long intervalNs;

    /** False once a request got no number: without acknowledgement, each attempt would store a batch again. */
    private boolean isEnabled = true;

    /** The batch that is being sent. Used by the thread of the sink only. */
    private @Nullable Attempt current;

    // Guarded by this.
    private final List<Waiting> waiting = new ArrayList<>();
    private final Deque<String> freeChannels = new ArrayDeque<>();
    private @Nullable Thread thread;
    private boolean closed;

    /** The last failure of a query; null if the last one succeeded. Used by the asking thread only. */
    private @Nullable String failure;

    /** An attempt to send a batch: its channel, and the numbers of its requests so far. */
    private record Attempt(String channel, TreeSet<Long> ids) {}

    /** A batch whose requests are all taken, with the numbers that are not acknowledged. */
    private record Waiting(SinkBatch batch, Attempt attempt, long begunNs) {}

    /**
     * Creates acknowledgements; no thread starts.
     *
     * @param place the URL of queries, for people
     * @param post the client for queries
     * @param timeout how long a batch may wait
     * @param interval the time between two queries
     */
    public HecAcks(String place, HttpPost post, Duration timeout, Duration interval) {
        this.place = place;
        this.post = post;
        this.timeout = timeout;
        this.intervalNs = interval.toNanos();
    }

    @Override
    public int maxWaiting() {
        return MAX_WAITING;
    }

    @Override
    public void begin() throws IOException, InterruptedException {
        if (!isEnabled) {
            var unused = indexed(newChannel(), "0");
            isEnabled = true;
        }
        current = new Attempt(takeChannel(), new TreeSet<>());
    }

    private synchronized String takeChannel() {
        String free = freeChannels.poll();
        return free == null ? newChannel() : free;
    }

    static String newChannel() {
        return UUID.randomUUID().toString();
    }

    /** The channel of requests; a new one if no batch is being sent. */
    String channel() {
        return current == null ? newChannel() : current.channel();
    }

    /**
     * A request was taken.
     *
     * @throws IOException if its number shows that requests before are lost, or if it has none
     */
    void taken(HecAnswer answer) throws IOException {
        if (current == null) {
            return;
        }
        TreeSet<Long> ids = current.ids();
        if (answer.ackId() == HecAnswer.NONE) {
            isEnabled = false;
            throw new IOException(
                    "it does not acknowledge: enable indexer acknowledgement for the token, or set 'acknowledge: off'");
        }
        if (!ids.isEmpty() && answer.ackId() <= ids.last()) {
            throw new IOException(
                    "it numbers requests from the beginning again, after a restart: what was sent before may be lost");
        }
        ids.add(answer.ackId());
    }

    @Override
    public void await(SinkBatch batch) {
        Attempt attempt = current;
        current = null;
        if (attempt == null || attempt.ids().isEmpty()) {
            // Nothing was taken: all records are refused.
            batch.done();
            return;
        }
        synchronized (this) {
            waiting.add(new Waiting(batch, attempt, System.nanoTime()));
            if (thread == null && !closed) {
                thread = new Thread(this::run, "millrace-splunk-acks");
                thread.setDaemon(true);
                thread.start();
            }
            notifyAll();
        }
    }

    private void run() {
        try {
            while (awaitWork()) {
                ask();
                expire();
                TimeUnit.NANOSECONDS.sleep(intervalNs);
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            // A fatal error ends the thread; the next batch starts another one.
            synchronized (this) {
                thread = null;
            }
        }
    }

    /** Sleeps until a batch waits; false after the end. */
    private synchronized boolean awaitWork() throws InterruptedException {
        while (waiting.isEmpty() && !closed) {
            wait();
        }
        return !closed;
    }

    private synchronized List<Waiting> waiting() {
        return List.copyOf(waiting);
    }

    /** Asks for each batch, until a query fails: the others would fail too, and each may take as long as the time limit. */
    private void ask() throws InterruptedException {
        for (Waiting each : waiting()) {
            try {
                Set<Long> left = each.attempt().ids();
                left.removeAll(indexed(each));
                failure = null;
                if (left.isEmpty()) {
                    end(each, true);
                    each.batch().done();
                }
            } catch (IOException | RuntimeException | Error e) {
                FatalErrors.rethrow(e);
                failure = e.getMessage() == null ? e.toString() : e.getMessage();
                putLast(each);
                return;
            }
        }
    }

    /** The numbers that are indexed. */
    private Set<Long> indexed(Waiting each) throws IOException, InterruptedException {
        String ids = each.attempt().ids().stream().map(String::valueOf).collect(Collectors.joining(","));
        return indexed(each.attempt().channel(), ids);
    }

    private Set<Long> indexed(String channel, String ids) throws IOException, InterruptedException {
        LineBuffer body = new LineBuffer().ascii("{\"acks\":[" + ids + "]}");
        HttpAnswer answer;
        synchronized (post) {
            answer = post.send(body, "channel=" + channel, MAX_ANSWER);
        }
        HecAnswer read = HecAnswer.of(answer);
        if (!answer.isSuccess() || read == null || read.indexed() == null) {
            HecError error = read == null ? null : HecError.of(read.code());
            throw new IOException(answer.text() + (error == null ? "" : " (" + error.remedy() + ")"));
        }
        return read.indexed();
    }

    /** If the queries of one channel fail, those of others have their turn. */
    private synchronized void putLast(Waiting failed) {
        if (waiting.remove(failed)) {
            waiting.add(failed);
        }
    }

    /** Fails batches that wait too long. Their channels are not used again: their numbers may still be acknowledged. */
    private void expire() {
        for (Waiting each : waiting()) {
            if (System.nanoTime() - each.begunNs() >= timeout.toNanos()) {
                end(each, false);
                String why = failure == null ? "" : "; the last query failed: " + failure;
                each.batch()
                        .failed(place + ": within ackTimeout (" + timeout.toMillis()
                                + " ms) Splunk has not said that messages are indexed" + why);
            }
        }
    }

    private synchronized void end(Waiting ended, boolean channelIsFree) {
        waiting.remove(ended);
        if (channelIsFree) {
            freeChannels.add(ended.attempt().channel());
        }
    }

    @Override
    public void refresh() {
        post.refresh();
    }

    @Override
    public void close() {
        Thread asking;
        synchronized (this) {
            closed = true;
            waiting.clear();
            asking = thread;
            notifyAll();
        }
        if (asking != null) {
            asking.interrupt();
            try {
                asking.join(MAX_END_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        post.close();
    }
}
