package io.millrace.internal.agent;

/** An idle strategy: what a thread does between two calls of an {@link Agent}. One instance per thread. */
@FunctionalInterface
public interface IdleStrategy {
    /**
     * Called after each call of the agent.
     *
     * @param workDone what the agent returned; 0 means idle
     */
    void idle(int workDone);
}
