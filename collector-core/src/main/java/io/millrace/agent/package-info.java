/**
 * How a stage gets its thread.
 *
 * <p>A stage is an {@link io.millrace.agent.Agent}: one bounded piece of work a call, no loop and no sleep of its own. An
 * {@link io.millrace.agent.AgentRunner} gives it a thread and an {@link io.millrace.agent.IdleStrategy}; a test calls
 * {@code doWork()} itself. Receivers are not run here but by the event loop that owns their sockets.
 */
package io.millrace.agent;
