/**
 * Messages: a {@link io.millrace.message.LogRecord} is a datagram of the journal, or a part of it, and is parsed when something asks for
 * its message. Formats write it, filters test it, and edits change it on its way to an output. All texts are UTF-8.
 *
 * <p>Threads: records and formats one, filters and edits any.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.message;
