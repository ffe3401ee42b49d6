/**
 * The sinks of the service. For each type of output an {@link io.millrace.app.config.OutputType} describes the settings
 * and creates the {@link io.millrace.sink.Sink}, which sends records by the destination's protocol.
 *
 * <p>A sink is used by the thread of its delivery, which it may block: a slow destination delays only its own output.
 * Every wait has a limit and ends at an interrupt. Threads of client libraries end in the batch they were given.
 */
package io.millrace.app.sink;
