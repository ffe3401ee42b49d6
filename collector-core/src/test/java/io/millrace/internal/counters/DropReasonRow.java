package io.millrace.internal.counters;

import io.millrace.collector.DropReason;

/** The row of a reason in {@code docs/operate/drop-reasons.md}. */
public final class DropReasonRow {
    private DropReasonRow() {}

    /** The row in Markdown. */
    public static String of(DropReason reason) {
        return "| " + reason.title() + " | `" + reason.field() + "` | " + reason.cause() + " | " + reason.page() + " |";
    }
}
