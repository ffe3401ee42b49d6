package io.millrace.transport.framing;

import java.nio.ByteBuffer;

/**
 * Takes a stream of bytes apart into messages. It gets the bytes as they are read, in pieces of any length; what it finds does not
 * depend on where the pieces end. It counts every byte once, in its {@link FramingCounts}. One thread.
 */
public interface StreamDecoder {
    /**
     * Passes on the messages that end in a piece of the stream.
     *
     * @param memory holds the piece; its order is little-endian
     * @return how far the piece was taken: less than {@code to} if there was no room. The next call starts there
     */
    int take(ByteBuffer memory, int from, int to, FrameSink sink);

    /**
     * The stream has ended: passes on or counts the rest.
     *
     * @return false if the sink has no room: to be called again
     */
    boolean end(FrameSink sink);

    /** Gives up what is left, for a connection that ends without anybody to take it. */
    void abandon();

    /** True if the start of the next message is unknown: the rest of the stream is skipped. */
    boolean isBroken();
}
