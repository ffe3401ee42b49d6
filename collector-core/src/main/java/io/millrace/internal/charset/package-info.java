/**
 * The encoding of text in messages: checks UTF-8, converts others to it, and handles ASCII eight bytes at a time.
 *
 * <p>The journal has the bytes as received. {@link io.millrace.internal.charset.Utf8Converter} converts a message when something reads it, into
 * memory that it reuses, so nothing is allocated per message. Each converter is used by one thread.
 */
package io.millrace.internal.charset;
