/**
 * Destinations of records, each a {@link io.millrace.deliver.Sink}: what is in the journal, in the form and by the protocol
 * that the destination wants.
 *
 * <p>A sink is used by the one thread of its delivery, and waits in it: a slow destination slows down nothing but its own
 * output. Each wait has an end, and gives way to an interrupt.
 */
package io.millrace.app.sink;
