package io.millrace.sender;

import java.io.IOException;
import java.net.PortUnreachableException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What one thread has counted; of the thread that sends. Tallies are added up once their threads have ended. */
final class Tally {
    /** The name a refusal is counted by. */
    static final String REFUSED = "ECONNREFUSED";

    long sent;
    long bytes;
    long failed;
    long refused;
    long sendErrors;
    long late;
    long maxLateNanos;
    /** From the start to the end of the last send. */
    long runNanos;

    final Map<String, Long> errors = new TreeMap<>();

    @Nullable
    String firstError;

    @Nullable
    String lastError;

    void countSent(int datagrams, long size, long lateNanos, long lateFromNanos) {
        sent += datagrams;
        bytes += size;
        if (lateNanos > lateFromNanos) {
            late += datagrams;
        }
        if (lateNanos > maxLateNanos) {
            maxLateNanos = lateNanos;
        }
    }

    void countRefused(long times) {
        if (times > 0) {
            refused += times;
            errors.merge(REFUSED, times, Long::sum);
        }
    }

    void countError(IOException e) {
        if (e instanceof PortUnreachableException) {
            countRefused(1);
            return;
        }
        String message = e.getMessage();
        countErrors(ErrorName.of(e), 1, message == null ? e.getClass().getSimpleName() : message);
    }

    void countErrors(String name, long times, String text) {
        sendErrors += times;
        errors.merge(name, times, Long::sum);
        if (firstError == null) {
            firstError = text;
        }
        lastError = text;
    }

    void add(Tally other) {
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
