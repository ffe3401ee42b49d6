package io.millrace.internal.agent;

/** A task of the collector that exactly one thread runs by calling {@link #doWork()} in a loop. */
public interface Agent {
    /** The name of the agent, which is also the name of its thread: {@code journal-0}. */
    String roleName();

    /**
     * Does a bounded amount of work and returns.
     *
     * @return the amount of work done, in a unit that the agent chooses; 0 means there was nothing to do
     */
    int doWork();
}
