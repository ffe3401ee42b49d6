package io.millrace.filter;

import io.millrace.format.LogRecord;

/** A condition on a record. */
@FunctionalInterface
interface Condition {
    boolean test(LogRecord record);
}
