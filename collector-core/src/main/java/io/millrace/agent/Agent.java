package io.millrace.agent;

/** A stage of the collector that is worked by exactly one thread, which calls {@link #doWork()} again and again. */
public interface Agent {
    /** Name of the role, used for its thread: {@code journal-0}. */
    String roleName();

    /**
     * Does a bounded piece of work and returns.
     *
     * @return how much was done, in units of the stage's own; 0 means there was nothing to do
     */
    int doWork();
}
