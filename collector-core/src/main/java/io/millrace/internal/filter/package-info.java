/**
 * The filter language of {@code --where}: typed, and compiled once.
 *
 * <pre>{@code
 * severity <= err and hostname == "fw1" and message contains "denied" and source_ip in 10.0.0.0/8
 * }</pre>
 *
 * <p>{@link io.millrace.message.Filter} is the entry point. {@link io.millrace.internal.filter.Lexer} splits the text into words,
 * strings and operators. {@link io.millrace.internal.filter.FilterParser} checks the type of each field, reports errors with
 * their column, and builds a tree of {@link io.millrace.internal.filter.Node}s with a compiled {@link
 * io.millrace.internal.filter.Condition} each. Evaluation allocates nothing. {@link io.millrace.message.FilterScope} says what an
 * expression may refer to. Lists from files are read again by the threads that evaluate filters. {@code docs/concepts/parsing.md}
 * describes the language.
 */
package io.millrace.internal.filter;
