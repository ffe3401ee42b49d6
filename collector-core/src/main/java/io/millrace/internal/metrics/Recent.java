package io.millrace.internal.metrics;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Cache of a value for 200 ms, so that one scrape reads it once. Any thread. */
final class Recent<T> implements Supplier<T> {
    private static final long FRESH_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Supplier<T> source;
    private @Nullable T last;
    private long askedAtNs;

    Recent(Supplier<T> source) {
        this.source = source;
    }

    @Override
    public synchronized T get() {
        T answer = last;
        long nowNs = System.nanoTime();
        if (answer == null || nowNs - askedAtNs > FRESH_NS) {
            answer = source.get();
            last = answer;
            askedAtNs = nowNs;
        }
        return answer;
    }
}
