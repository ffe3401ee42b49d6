package io.millrace.sender.command;

import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Progress line on a terminal, rewritten once per second by its own thread. */
public final class ProgressLine implements AutoCloseable {
    private static final String ERASE_LINE = "\r\033[K";
    private static final long JOIN_MILLIS = 1000;
    private static final int BAR = 30;

    private final PrintWriter err;
    private final LongSupplier sent;
    private final SendPlan plan;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final @Nullable Thread thread;

    private ProgressLine(PrintWriter err, LongSupplier sent, SendPlan plan, boolean shown) {
        this.err = err;
        this.sent = sent;
        this.plan = plan;
        this.thread = shown ? new Thread(this::run, "millrace-send-progress") : null;
    }

    /** Starts the thread, if the line is to be shown. */
    static ProgressLine start(PrintWriter err, LongSupplier sent, SendPlan plan, boolean shown) {
        ProgressLine progress = new ProgressLine(err, sent, plan, shown);
        if (progress.thread != null) {
            progress.thread.setDaemon(true);
            progress.thread.start();
        }
        return progress;
    }

    /**
     * Whether standard error is a terminal. System.console() only knows about standard input and output. Without /proc the
     * result is false.
     */
    static boolean onTerminal() {
        try {
            String file = Files.readSymbolicLink(Path.of("/proc/self/fd/2")).toString();
            return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty") || file.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** The line after {@code seconds} seconds with {@code sent} datagrams, {@code lastSecond} of them in the last second. */
    public static String line(SendPlan plan, long seconds, long sent, long lastSecond) {
        double part = Math.min(1, part(plan, seconds, sent));
        int full = (int) (part * BAR);
        String left = part == 0 ? "?" : eta((long) (seconds / part) - seconds);
        return Text.format(
                "[%s%s] %3d %%  %,d sent  %,d/s  ETA %s",
                "#".repeat(full), ".".repeat(BAR - full), (int) (100 * part), sent, lastSecond, left);
    }

    /** The completed part of the run: of its time if that ends it, else of its datagrams. */
    private static double part(SendPlan plan, long seconds, long sent) {
        double deadline = plan.deadlineNanos() / 1e9;
        return plan.schedule().isMax() && plan.deadlineNanos() != Long.MAX_VALUE
                ? seconds / deadline
                : (double) sent / plan.count();
    }

    private static String eta(long seconds) {
        Duration left = Duration.ofSeconds(seconds);
        return left.toHours() > 0
                ? Text.format("%d:%02d:%02d", left.toHours(), left.toMinutesPart(), left.toSecondsPart())
                : Text.format("%d:%02d", left.toMinutes(), left.toSecondsPart());
    }

    /** Ends the thread and clears the line. */
    @Override
    public void close() {
        ended.countDown();
        if (thread == null) {
            return;
        }
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        err.print(ERASE_LINE);
        err.flush();
    }

    private void run() {
        long before = 0;
        try {
            for (long second = 1; !ended.await(1, TimeUnit.SECONDS); second++) {
                long now = sent.getAsLong();
                err.print(ERASE_LINE + line(plan, second, now, now - before));
                err.flush();
                before = now;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
