package io.millrace.sender.transmit;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The counts of one sending thread. They are added after all threads have ended. */
public final class SendCounts {
    /** The errno name of a refusal. */
    static final String REFUSED = "ECONNREFUSED";

    public long sent;
    public long bytes;
    public long failed;
    public long refused;
    public long sendErrors;
    public long late;
    public long maxLateNanos;
    /** The time from the start to the end of the last send. */
    public long runNanos;

    public final Map<String, Long> errors = new TreeMap<>();

    @Nullable
    public String firstError;

    @Nullable
    public String lastError;

    public void countSent(int datagrams, long size, long lateNanos, long lateFromNanos) {
        sent += datagrams;
        bytes += size;
        if (lateNanos > lateFromNanos) {
            late += datagrams;
        }
        if (lateNanos > maxLateNanos) {
            maxLateNanos = lateNanos;
        }
    }

    public void countRefused(long times) {
        if (times > 0) {
            refused += times;
            errors.merge(REFUSED, times, Long::sum);
        }
    }

    public void countError(IOException e) {
        if (e instanceof PortUnreachableException) {
            countRefused(1);
            return;
        }
        String message = e.getMessage();
        countErrors(Errno.of(e), 1, message == null ? e.getClass().getSimpleName() : message);
    }

    void countErrors(String name, long times, String text) {
        if (times == 0) {
            return;
        }
        sendErrors += times;
        errors.merge(name, times, Long::sum);
        if (firstError == null) {
            firstError = text;
        }
        lastError = text;
    }

    public void add(SendCounts other) {
        sent += other.sent;
        bytes += other.bytes;
        failed += other.failed;
        refused += other.refused;
        sendErrors += other.sendErrors;
        late += other.late;
        maxLateNanos = Math.max(maxLateNanos, other.maxLateNanos);
        runNanos = Math.max(runNanos, other.runNanos);
        other.errors.forEach((name, times) -> errors.merge(name, times, Long::sum));
        firstError = firstError == null ? other.firstError : firstError;
        lastError = other.lastError == null ? lastError : other.lastError;
    }
}
