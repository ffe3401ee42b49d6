package io.millrace.app.admin;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.report.Node;
import io.millrace.collector.Collector;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.InputNames;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.UnknownVersionException;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 * The message tail: journaled messages as one JSON object per line, until the client disconnects. It uses little CPU
 * time at any load, so it may skip messages, and says how many.
 *
 * <p>Every 250 ms it reads for up to 25 ms of CPU time, and up to 1,000 matching messages. After four rounds with more
 * messages than that, it continues at the journal's end. A line with only {@code skipped} has the number of skipped datagrams.
 * Without messages there is an empty line per second. If the journal cannot be read, the last line has only {@code
 * error}.
 */
final class Tail {
    private static final Logger LOG = LoggerFactory.getLogger(Tail.class);
    private static final int MAX_AT_ONCE = 4;
    private static final int LINES_PER_TURN = 1000;
    private static final int DATAGRAMS_AT_ONCE = 100;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
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

    /** Starts a tail if there is room; returns false otherwise. The response was sent then. */
    boolean stream(HttpExchange exchange, @Nullable Filter where) throws IOException {
        if (!free.tryAcquire()) {
            return false;
        }
        try {
            // Opens the cursor first, so that all messages after the response are shown.
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

    private final class Reader {
        private final @Nullable Filter where;
        private final LogRecord record = LogRecord.of(others, rules);
        private final LineFormat format = LineFormat.of("json");
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
                        // The client must be able to distinguish an error from silence.
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
                        // A failed write is the only sign that the client has disconnected.
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
            String line = new Node().put("error", what).json() + "\n";
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }

        /** True if it ended before the journal did. */
        private boolean look() {
            // CPU time: on a busy CPU the thread may wait for longer than this.
            long endNs = THREADS.getCurrentThreadCpuTime() + LOOK_NS;
            printed = 0;
            while (printed < LINES_PER_TURN && THREADS.getCurrentThreadCpuTime() < endNs) {
                if (cursor.poll(this::show, Math.min(DATAGRAMS_AT_ONCE, LINES_PER_TURN - printed)) == 0) {
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
