/**
 * Agents and the threads that run them.
 *
 * <p>An {@link io.millrace.agent.Agent} does a bounded amount of work per call. It contains no loop and no sleep. An
 * {@link io.millrace.agent.AgentRunner} calls it on a dedicated thread, with an {@link io.millrace.agent.IdleStrategy}.
 * A test calls {@code doWork()} directly. Receivers are not agents: the event loop that owns their sockets runs them.
 */
package io.millrace.agent;
