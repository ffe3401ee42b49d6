package io.millrace.app.admin;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.report.Node;
import io.millrace.collector.Collector;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.InputNames;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.Position;
import io.millrace.journal.UnknownVersionException;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A search in the journal's past: the messages of a time range that match, as one JSON object per line. Shards are merged by receive
 * time; within a shard the order is that of the journal. It takes half a CPU at most, and ends after {@value #LIMIT_SECONDS} s. The last line tells how far it came:
 * {@code searched} datagrams, {@code until} the receive time of the last one, and {@code complete} if there is no more.
 */
final class MessageSearch {
    private static final int MAX_AT_ONCE = 2;
    private static final int LIMIT_SECONDS = 30;
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(25);

    private final Collector collector;
    private final InputRules others;
    private final Map<String, InputRules> rules;
    private final BooleanSupplier stopping;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);

    MessageSearch(Collector collector, InputRules others, Map<String, InputRules> rules, BooleanSupplier stopping) {
        this.collector = collector;
        this.others = others;
        this.rules = rules;
        this.stopping = stopping;
    }

    /**
     * Searches if there is room; returns false otherwise. The response was sent then.
     *
     * @param until the end of the range, exclusive
     * @param limit how many messages are shown at most
     */
    boolean answer(HttpExchange exchange, @Nullable Filter where, Instant from, Instant until, int limit)
            throws IOException {
        if (!free.tryAcquire()) {
            return false;
        }
        List<Head> heads = new ArrayList<>();
        Pace pace = new Pace();
        // A client that does not read would block the search without a limit.
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                exchange::close, CompletableFuture.delayedExecutor(LIMIT_SECONDS + 5, TimeUnit.SECONDS));
        try {
            for (int shard = 0; shard < collector.journal().meta().shards(); shard++) {
                heads.add(new Head(collector
                        .journal()
                        .cursor()
                        .from(new Position(shard, 0))
                        .fromTime(from)
                        .toTime(until)
                        .stopWhen(pace::isOver)
                        .open()));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                new Run(where, limit, heads, pace).run(out);
            }
            return true;
        } finally {
            end.cancel(false);
            heads.forEach(head -> head.cursor.close());
            free.release();
        }
    }

    /** The time that a search takes: as much as it works, it sleeps. */
    private final class Pace {
        private final long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        private long turnNs = System.nanoTime();
        private Runnable beforePause = () -> {};

        /** True at the end of the search. To be called often. */
        boolean isOver() {
            long nowNs = System.nanoTime();
            if (nowNs - turnNs > TURN_NS) {
                beforePause.run();
                LockSupport.parkNanos(TURN_NS);
                turnNs = System.nanoTime();
            }
            return nowNs - endNs >= 0
                    || stopping.getAsBoolean()
                    || Thread.currentThread().isInterrupted();
        }
    }

    /** The next datagram of a shard. */
    private static final class Head {
        private final JournalCursor cursor;
        private DatagramView datagram = new DatagramView();
        private boolean isThere;
        private int shard;
        private long sequence;

        Head(JournalCursor cursor) {
            this.cursor = cursor;
        }

        /** Reads the next one; there is none at the end of the range. */
        void advance() {
            isThere = cursor.poll(this::keep, 1) > 0;
        }

        private void keep(DatagramView next, CursorPosition position) {
            datagram = next.copy();
            shard = position.shard();
            sequence = position.sequence();
        }
    }

    private final class Run {
        private final @Nullable Filter where;
        private final int limit;
        private final List<Head> heads;
        private final Pace pace;
        private final LogRecord record = LogRecord.of(others, rules);
        private final LineFormat format = LineFormat.of("json");
        private final LineBuffer lines = new LineBuffer();
        private final InputNames inputs = new InputNames(collector.journal());
        private int found;
        private long searched;
        private long lastNs;

        Run(@Nullable Filter where, int limit, List<Head> heads, Pace pace) {
            this.pace = pace;
            this.where = where;
            this.limit = limit;
            this.heads = heads;
        }

        void run(OutputStream out) throws IOException {
            boolean complete = false;
            String error = null;
            try {
                // What was found is shown while the search goes on, also within a long poll.
                pace.beforePause = () -> flush(out);
                heads.forEach(Head::advance);
                while (found < limit && !pace.isOver()) {
                    Head next = earliest();
                    if (next == null) {
                        break;
                    }
                    show(next.datagram, next);
                    next.advance();
                }
                complete = earliest() == null && !pace.isOver();
            } catch (UncheckedIOException | UnknownVersionException e) {
                error = String.valueOf((e.getCause() == null ? e : e.getCause()).getMessage());
            }
            lines.writeTo(out);
            out.write(last(complete, error).getBytes(StandardCharsets.UTF_8));
        }

        private void flush(OutputStream out) {
            try {
                lines.writeTo(out);
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private @Nullable Head earliest() {
            return heads.stream()
                    .filter(head -> head.isThere)
                    .min(Comparator.comparingLong(head -> head.datagram.receiveTimeNs()))
                    .orElse(null);
        }

        private void show(DatagramView datagram, Head from) {
            searched++;
            lastNs = datagram.receiveTimeNs();
            record.wrap(datagram, inputs.of(datagram.input()), from.shard, from.sequence);
            do {
                if (where == null || where.matches(record)) {
                    format.write(record, lines);
                    found++;
                }
            } while (record.nextPart());
        }

        private String last(boolean complete, @Nullable String error) {
            Node node = new Node()
                    .put("searched", searched)
                    .put("complete", complete)
                    .put("until", searched == 0 ? null : Instant.EPOCH.plusNanos(lastNs));
            return (error == null ? node : node.put("error", error)).json() + "\n";
        }
    }
}
