package io.millrace.collector;

import io.millrace.internal.linux.LibC;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /**
     * A listening socket or a connection of a stream input that is passed to the process that continues with it.
     *
     * @param descriptor its file descriptor in this process
     * @param endpoint where its input listens, as configured
     * @param shard the shard of its receiver
     * @param state the framing state and the bytes of a connection that were read and not journaled; null for a listening socket
     * @param pendingBytes the number of these bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after its creation, and never compared.
    public record PassedStream(int descriptor, String endpoint, int shard, byte @Nullable [] state, int pendingBytes) {
        /** Returns a copy with the state of a connection. */
        public PassedStream of(byte[] stateNow, int pendingNow) {
            return new PassedStream(descriptor, endpoint, shard, stateNow, pendingNow);
        }

        /** True for a connection. */
        public boolean isConnection() {
            return state != null;
        }

        /** Closes the descriptors in this process. */
        public static void close(List<PassedStream> streams) {
            streams.forEach(stream -> LibC.closeAnyway(stream.descriptor));
        }
    }
}
