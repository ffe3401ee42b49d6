package io.millrace.sender.pcap;

import java.nio.ByteBuffer;

/** A captured packet of any kind; one object is reused for all packets. */
final class Packet {
    /** The captured bytes, from 0 to {@link #captured}. */
    ByteBuffer data = ByteBuffer.allocate(4096);
    /** The position of the first byte in the file. */
    long position;

    int captured;
    int linkType;
    long timestampNanos;

    /** Ensures the capacity; the content is lost. */
    ByteBuffer room(int length) {
        if (data.capacity() < length) {
            data = ByteBuffer.allocate(Integer.highestOneBit(length) << 1);
        }
        return data;
    }
}
