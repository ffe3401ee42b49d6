/**
 * An open-loop UDP load generator: it sends numbered datagrams at the times a schedule names, however late the last one
 * was, and counts exactly what it sent. It knows nothing of the collector; the only thing the two share is the format
 * of a payload, told in {@link io.millrace.sender.SequencePayload}.
 *
 * <p>From a command line to the wire: {@code Content} is what is sent, {@code SendPlan} when and from which source,
 * {@code Means} how it gets to the kernel. {@code SendRun} starts a {@code Sender} a thread; a sender asks its
 * {@code Deal} for the next GSO batch of datagrams, its {@code Pacer} to wait until they are due, the {@code Payloads} for
 * their bytes, and gives them to the {@code Transmitter}. Nothing is allocated on this way.
 *
 * <p>Threads: the thread that calls {@code SendRun.run()} (the command's main thread) sends, and with
 * {@code --threads} so do {@code millrace-send-1} and so on. Each owns its tally, and they are added up when all have ended. A daemon thread,
 * {@code millrace-send-progress}, reads how many were sent for the progress line; a shutdown hook asks the sending
 * threads to stop and waits a little for their summary.
 */
package io.millrace.sender;
