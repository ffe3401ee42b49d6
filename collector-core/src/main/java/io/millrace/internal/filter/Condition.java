package io.millrace.internal.filter;

import io.millrace.internal.format.LogRecord;

/** A condition on a record. */
@FunctionalInterface
interface Condition {
    boolean test(LogRecord record);
}
