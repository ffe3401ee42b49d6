package io.millrace.sender.run;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/** The clocks and the two ways to wait; tests replace it by a fake. */
public interface WaitClock {
    WaitClock SYSTEM = new WaitClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long epochMicros() {
            return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        }

        @Override
        public void park(long nanos) {
            LockSupport.parkNanos(this, nanos);
        }

        @Override
        public void spin() {
            Thread.onSpinWait();
        }
    };

    /** A monotonic time in nanoseconds with an arbitrary origin. */
    long nanoTime();

    /** The wall clock in microseconds since the epoch. */
    long epochMicros();

    /** Parks the thread for about this long. It may return early, and returns at once when unparked. */
    void park(long nanos);

    /** One iteration of a loop that keeps the CPU busy. */
    void spin();
}
