package io.millrace.collector;

import io.millrace.internal.linux.LibC;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
