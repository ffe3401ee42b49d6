package io.millrace.app.admin;

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
import io.millrace.record.DatagramView;
import io.millrace.record.UnknownVersionException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages as they come, one JSON object a line, until the client goes. A tail is for looking: it takes little time of the
 * CPU whatever the load, so it shows some of the messages, and says how many it passed over.
 *
 * <p>Each quarter of a second it reads from where it is, for 25 ms and up to 20 messages that match. If there was more four times
 * in a row, it goes on at the journal's end. A line with {@code skipped} alone tells how many datagrams were passed over since the last;
 * where nothing comes, there is an empty line each second. Where the journal cannot be read, a last line with {@code error} alone says why.
 */
final class Tail {
    private static final Logger LOG = LoggerFactory.getLogger(Tail.class);
    private static final int MAX_AT_ONCE = 4;
    private static final int LINES_A_TURN = 20;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(25);
    private static final long TURN_MS = 250;
    private static final int TURNS_BEHIND = 4;
    private static final int TURNS_TO_SIGN_OF_LIFE = 4;

    private final Collector collector;
    private final InputRules others;
    private final Map<String, InputRules> rules;
    private final BooleanSupplier stopping;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);

    Tail(Collector collector, InputRules others, Map<String, InputRules> rules, BooleanSupplier stopping) {
        this.collector = collector;
        this.others = others;
        this.rules = rules;
        this.stopping = stopping;
    }

    /** True if there was room for one more; the answer was sent then. */
    boolean stream(HttpExchange exchange, @Nullable Filter where) throws IOException {
        if (!free.tryAcquire()) {
            return false;
        }
        try {
            // What comes after the answer has begun is shown: the cursor stands before that.
            Reader reader = new Reader(where, atEnd());
            exchange.getResponseHeaders().set("Content-Type", "application/x-ndjson; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                reader.run(out);
            } catch (UncheckedIOException e) {
                throw e.getCause();
            } finally {
                reader.close();
            }
            return true;
        } finally {
            free.release();
        }
    }

    private JournalCursor atEnd() throws IOException {
        return collector.journal().cursor().fromEnd().open();
    }

    /** One client's. */
    private final class Reader {
        private final @Nullable Filter where;
        private final LogRecord record = new LogRecord(others, rules, false);
        private final JsonFormat format = new JsonFormat();
        private final LineBuffer lines = new LineBuffer();
        private final InputNames inputs = new InputNames(collector.journal());
        private final Map<Integer, Long> next = new HashMap<>();
        private JournalCursor cursor;
        private int printed;
        private long skipped;

        Reader(@Nullable Filter where, JournalCursor cursor) {
            this.where = where;
            this.cursor = cursor;
        }

        void close() {
            cursor.close();
        }

        void run(OutputStream out) throws IOException {
            int quiet = 0;
            int behind = 0;
            try {
                while (!stopping.getAsBoolean()) {
                    boolean more;
                    try {
                        if (behind >= TURNS_BEHIND) {
                            cursor.close();
                            cursor = atEnd();
                            behind = 0;
                        }
                        more = look();
                    } catch (UncheckedIOException | UnknownVersionException e) {
                        // Whoever looks must not take it for silence.
                        lines.writeTo(out);
                        end(out, e);
                        return;
                    }
                    quiet = lines.length() > 0 || skipped > 0 ? 0 : quiet + 1;
                    lines.writeTo(out);
                    if (skipped > 0) {
                        out.write(("{\"skipped\":" + skipped + "}\n").getBytes(StandardCharsets.US_ASCII));
                        skipped = 0;
                    } else if (quiet >= TURNS_TO_SIGN_OF_LIFE) {
                        // The only way to learn that the client has gone.
                        out.write('\n');
                        quiet = 0;
                    }
                    out.flush();
                    behind = more ? behind + 1 : 0;
                    TimeUnit.MILLISECONDS.sleep(TURN_MS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void end(OutputStream out, RuntimeException failure) throws IOException {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            String what = String.valueOf(cause.getMessage());
            LOG.warn("Messages for a client of admin HTTP end here, because the journal cannot be read: {}", what);
            String line = Json.object(json -> json.writeStringField("error", what)) + "\n";
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** True if it ended before the journal did. */
        private boolean look() {
            long endNs = System.nanoTime() + LOOK_NS;
            printed = 0;
            while (printed < LINES_A_TURN && System.nanoTime() - endNs < 0) {
                if (cursor.poll(this::show, LINES_A_TURN - printed) == 0) {
                    return false;
                }
            }
            return true;
        }

        private void show(DatagramView datagram, CursorPosition position) {
            Long expected = next.put(position.shard(), position.sequence() + 1);
            if (expected != null && position.sequence() > expected) {
                skipped += position.sequence() - expected;
            }
            record.wrap(datagram, inputs.of(datagram.input()), position.shard(), position.sequence());
            do {
                if (where == null || where.matches(record)) {
                    format.write(record, lines);
                    printed++;
                }
            } while (record.nextPart());
        }
    }
}
