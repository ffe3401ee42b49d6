package io.millrace.filter;

import io.millrace.format.LogRecord;

/** A compiled expression about records. It has no state: many threads may ask it, each about records of its own. */
public final class Filter {
    private final Condition condition;

    private Filter(Condition condition) {
        this.condition = condition;
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException if it is none: the message names the column, what is there, and what would be
     *     right
     */
    public static Filter compile(String expression) {
        return new Filter(new FilterParser(expression).parse());
    }

    /** True if the expression is true of the record. A comparison with a field that a record does not have is false. */
    public boolean matches(LogRecord record) {
        return condition.test(record);
    }
}
