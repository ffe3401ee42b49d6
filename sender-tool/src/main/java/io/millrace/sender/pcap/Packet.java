package io.millrace.sender.pcap;

import java.nio.ByteBuffer;

/** A packet as it was captured, of any kind; used again for the next one. */
final class Packet {
    /** The captured bytes, from 0 to {@link #captured}. */
    ByteBuffer data = ByteBuffer.allocate(4096);
    /** Where the first of them is in the file. */
    long position;

    int captured;
    int linkType;
    long timestampNanos;

    /** Makes room, keeping nothing. */
    ByteBuffer room(int length) {
        if (data.capacity() < length) {
            data = ByteBuffer.allocate(Integer.highestOneBit(length) << 1);
        }
        return data;
    }
}
