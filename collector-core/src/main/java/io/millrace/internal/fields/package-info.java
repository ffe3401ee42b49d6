/**
 * Named values in the text of a message: JSON members and key=value pairs.
 *
 * <p>A {@link io.millrace.internal.fields.FieldTable} holds where names and values begin and end in the bytes of one message.
 * {@link io.millrace.internal.fields.JsonReader} and {@link io.millrace.internal.fields.PairReader} fill it; a value is copied only if it
 * has escapes. Number of fields and depth are limited, nothing is thrown, and nothing is allocated once a table has
 * grown. Each object is used by one thread.
 */
package io.millrace.internal.fields;
