package io.millrace.collector;

import java.io.IOException;
import java.util.List;

/** The process that replaces this one, as seen by the collector that hands off. Its methods are called one after the other. */
@FunctionalInterface
public interface Successor {
    /** True if it takes listening sockets and connections. Otherwise they are closed, as at a stop. */
    default boolean takesStreams() {
        return false;
    }

    /**
     * Takes listening sockets and connections of stream inputs, which this process no longer reads. The caller closes its
     * descriptors afterwards. Called several times, before {@link #released}, if {@link #takesStreams()}.
     *
     * @throws IOException if it cannot take them; they are then closed
     */
    default void take(List<PassedStream> streams) throws IOException {}

    /**
     * Called when the data directory is released. It must not close or change the collector, which waits for the return. Not
     * called if something stays in use until this process ends.
     *
     * @param sinceNs the time since which no process reads datagrams, in ns since the epoch
     */
    void released(long sinceNs);
}
