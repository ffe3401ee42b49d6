/**
 * Agents and the threads that run them.
 *
 * <p>An {@link io.millrace.internal.agent.Agent} does a bounded amount of work per call. It contains no loop and no sleep. An
 * {@link io.millrace.internal.agent.AgentRunner} calls it on a dedicated thread, with an {@link io.millrace.internal.agent.IdleStrategy}.
 * A test calls {@code doWork()} directly. A receiver is an agent without a runner: the event loop that owns its sockets
 * calls it. With threading {@code shared} the event loop also calls the journal writer.
 */
package io.millrace.internal.agent;
