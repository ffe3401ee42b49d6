package io.millrace.internal.transport.framing;

import java.nio.ByteBuffer;

/** Takes the messages of a stream, one at a time. */
@FunctionalInterface
public interface FrameSink {
    /**
     * Takes a message; its bytes are valid only until this returns.
     *
     * @param memory holds it
     * @param offset where it begins there
     * @param length its bytes
     * @param originalLength its bytes on the wire; 0 in a truncated one if that is not known
     * @param marks 0, or the marks of {@link io.millrace.internal.record.FrameWriter}
     * @return false if there is no room now: the same message is offered again later
     */
    boolean take(ByteBuffer memory, int offset, int length, int originalLength, int marks);
}
