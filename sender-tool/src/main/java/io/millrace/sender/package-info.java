/**
 * An open-loop UDP load generator: it sends numbered datagrams at the times a schedule names, however late the last one
 * was, and counts exactly what it sent. It knows nothing of the collector; the only thing the two share is the format
 * of a payload, told in {@link io.millrace.sender.SequencePayload}.
 *
 * <p>Threads: the thread that calls {@code Sender.run()} (the command's main thread) does all the sending and owns all
 * counters. A daemon thread, {@code millrace-send-progress}, reads one of them for the progress line; a shutdown hook
 * asks the sending thread to stop and waits a little for its summary.
 */
package io.millrace.sender;
