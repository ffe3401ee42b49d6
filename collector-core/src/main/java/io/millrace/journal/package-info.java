/**
 * Reading a journal: {@link io.millrace.journal.Journal} opens the journal of a data directory, and a cursor of it passes each
 * datagram as a view, with its position. A collector may write the journal at the same time, in any process.
 *
 * <p>Threads: a journal any, a cursor one.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.journal;
