package io.millrace.app.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.report.Json;
import io.millrace.collector.Collector;
import io.millrace.filter.Filter;
import io.millrace.format.InputRules;
import io.millrace.format.JsonFormat;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import io.millrace.journal.read.CursorPosition;
import io.millrace.journal.read.InputNames;
import io.millrace.journal.read.JournalCursor;
import io.millrace.journal.read.Position;
import io.millrace.record.DatagramView;
import io.millrace.record.UnknownVersionException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
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
    private static final long TURN_MS = 25;

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
        try {
            for (int shard = 0; shard < collector.journal().meta().shards(); shard++) {
                heads.add(new Head(collector
                        .journal()
                        .cursor()
                        .from(new Position(shard, 0))
                        .fromTime(from)
                        .toTime(until)
                        .open()));
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                new Run(where, limit, heads).run(out);
            }
            return true;
        } finally {
            heads.forEach(head -> head.cursor.close());
            free.release();
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

    /** One search. */
    private final class Run {
        private final @Nullable Filter where;
        private final int limit;
        private final List<Head> heads;
        private final LogRecord record = new LogRecord(others, rules, false);
        private final JsonFormat format = new JsonFormat();
        private final LineBuffer lines = new LineBuffer();
        private final InputNames inputs = new InputNames(collector.journal());
        private int found;
        private long searched;
        private long lastNs;

        Run(@Nullable Filter where, int limit, List<Head> heads) {
            this.where = where;
            this.limit = limit;
            this.heads = heads;
        }

        void run(OutputStream out) throws IOException {
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
            boolean complete = false;
            String error = null;
            try {
                heads.forEach(Head::advance);
                while (!complete && found < limit && System.nanoTime() - endNs < 0 && !stopping.getAsBoolean()) {
                    complete = turn();
                    lines.writeTo(out);
                    out.flush();
                    TimeUnit.MILLISECONDS.sleep(complete ? 0 : TURN_MS);
                }
            } catch (UncheckedIOException | UnknownVersionException e) {
                error = String.valueOf((e.getCause() == null ? e : e.getCause()).getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            out.write(last(complete, error).getBytes(StandardCharsets.UTF_8));
        }

        /** Reads for a moment; true at the end of the range. */
        private boolean turn() {
            long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TURN_MS);
            while (found < limit && System.nanoTime() - endNs < 0) {
                Head next = earliest();
                if (next == null) {
                    return true;
                }
                show(next.datagram, next);
                next.advance();
            }
            return false;
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
            return Json.object(json -> {
                        json.writeNumberField("searched", searched);
                        json.writeBooleanField("complete", complete);
                        json.writeStringField(
                                "until",
                                searched == 0
                                        ? null
                                        : Instant.EPOCH.plusNanos(lastNs).toString());
                        error(json, error);
                    })
                    + "\n";
        }

        private static void error(JsonGenerator json, @Nullable String error) throws IOException {
            if (error != null) {
                json.writeStringField("error", error);
            }
        }
    }
}
