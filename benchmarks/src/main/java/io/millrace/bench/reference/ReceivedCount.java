package io.millrace.bench.reference;

import java.util.concurrent.atomic.AtomicLong;

/** A count that one thread makes and any may read: no locked instruction for each datagram. */
final class ReceivedCount {
    private final AtomicLong value = new AtomicLong();

    /** Adds; only the one thread. */
    void add(long amount) {
        value.setRelease(value.getPlain() + amount);
    }

    long get() {
        return value.getAcquire();
    }
}
