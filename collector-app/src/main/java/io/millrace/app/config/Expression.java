package io.millrace.app.config;

import io.millrace.message.Filter;
import io.millrace.message.FilterScope;

/**
 * A filter expression with a valid syntax. What it refers to is found when all of the configuration is known.
 *
 * @param text the expression
 */
public record Expression(String text) {
    /** Checks the syntax. */
    public Expression {
        var unused = Filter.compile(text, FilterScope.SYNTAX);
    }
}
