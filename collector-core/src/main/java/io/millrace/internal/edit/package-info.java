/**
 * Edits of messages on their way to an output: parts of a message are replaced before it is encoded.
 *
 * <p>An edit is pure: the same message is edited in the same way each time. It changes a copy; the journal keeps the message as it
 * came. Time and memory are bounded: regular expressions are RE2, and an edited message has a maximum length. One {@link
 * io.millrace.internal.edit.Editor} for each thread.
 */
@NullMarked
package io.millrace.internal.edit;

import org.jspecify.annotations.NullMarked;
