package io.millrace.filter;

import io.millrace.format.LogRecord;
import java.util.List;

/** A compiled filter expression. It has no state: threads can share it, each with its own records. */
public final class Filter {
    /** Matches every record. */
    public static final Filter ALL = new Filter(record -> true);

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

    /** Returns a filter for what this one matches and none of the others does. */
    public Filter butNot(List<Filter> others) {
        List<Filter> none = List.copyOf(others);
        return new Filter(record -> {
            if (!matches(record)) {
                return false;
            }
            for (int i = 0; i < none.size(); i++) {
                if (none.get(i).matches(record)) {
                    return false;
                }
            }
            return true;
        });
    }

    /** True if the record matches. A comparison with an absent field is false. */
    public boolean matches(LogRecord record) {
        return condition.test(record);
    }
}
