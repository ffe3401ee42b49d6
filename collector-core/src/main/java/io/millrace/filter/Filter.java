package io.millrace.filter;

import io.millrace.format.LogRecord;

/** A compiled filter expression. It has no state: threads can share it, each with its own records. */
public final class Filter {
    private final Condition condition;

    private Filter(Condition condition) {
        this.condition = condition;
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException if it is invalid; the message has the column, the text there, and the valid
     *     values
     */
    public static Filter compile(String expression) {
        return new Filter(new FilterParser(expression).parse());
    }

    /** True if the record matches. A comparison with an absent field is false. */
    public boolean matches(LogRecord record) {
        return condition.test(record);
    }
}
