package io.millrace.internal.filter;

import io.millrace.internal.format.JournalRecord;

/** A condition on a record. */
@FunctionalInterface
public interface Condition {
    boolean test(JournalRecord record);
}
