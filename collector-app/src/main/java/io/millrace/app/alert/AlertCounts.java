package io.millrace.app.alert;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts of a target.
 *
 * @param sent notifications that were sent
 * @param failedAttempts attempts that failed
 * @param unsent notifications that were given up
 */
record AlertCounts(AtomicLong sent, AtomicLong failedAttempts, AtomicLong unsent) {
    AlertCounts() {
        this(new AtomicLong(), new AtomicLong(), new AtomicLong());
    }
}
