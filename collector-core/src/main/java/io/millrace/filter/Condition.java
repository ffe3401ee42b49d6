package io.millrace.filter;

import io.millrace.format.LogRecord;

/** Something that is true of a record, or not. */
@FunctionalInterface
interface Condition {
    boolean test(LogRecord record);
}
