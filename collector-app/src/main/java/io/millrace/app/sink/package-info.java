/**
 * Destinations for the {@code outputs} of the configuration: for each kind an {@link io.millrace.app.config.OutputType}, which
 * describes its settings, and the {@link io.millrace.deliver.Sink} it makes, which sends what is in the journal in the form
 * and by the protocol that the destination wants.
 *
 * <p>A sink is used by the one thread of its delivery, and waits in it: a slow destination slows down nothing but its own
 * output. Each wait has an end, and gives way to an interrupt. What clients of destinations do on threads of their own ends in
 * the batch they were given.
 */
package io.millrace.app.sink;
