/**
 * The filter language of {@code --where}: typed, and compiled once.
 *
 * <pre>{@code
 * severity <= err and hostname == "fw1" and message contains "denied" and source_ip in 10.0.0.0/8
 * }</pre>
 *
 * <p>{@link io.millrace.filter.Filter} is what others use. The text goes through {@link io.millrace.filter.Lexer} and
 * {@link io.millrace.filter.FilterParser}, which knows the type of each field and says by column what is wrong, to a tree
 * of {@link io.millrace.filter.Condition}s. To ask it allocates nothing. {@code docs/parsing.md} tells the language.
 */
package io.millrace.filter;
