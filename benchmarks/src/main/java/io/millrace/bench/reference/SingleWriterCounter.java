package io.millrace.bench.reference;

import java.util.concurrent.atomic.AtomicLong;

/** Counter with one writing thread and any number of readers: no locked instruction per datagram. */
final class SingleWriterCounter {
    private final AtomicLong value = new AtomicLong();

    /** Adds 1; only the writing thread. */
    void increment() {
        value.setRelease(value.getPlain() + 1);
    }

    long get() {
        return value.getAcquire();
    }
}
