package io.millrace.sender.pcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The classic pcap format: a file header, and a header per packet. */
final class PcapFormat implements CaptureFormat {
    static final int MICROS = 0xa1b2c3d4;
    static final int NANOS = 0xa1b23c4d;

    private static final int FILE_HEADER_REST = 20;
    private static final int LINK_TYPE_AT = 16;
    private static final int RECORD_HEADER = 16;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final CaptureInput in;
    private final ByteBuffer header = ByteBuffer.allocate(FILE_HEADER_REST);
    private final int linkType;
    private final long nanosPerUnit;

    /** Reads the file header after its magic number. */
    PcapFormat(CaptureInput in, int magic, ByteOrder order) throws IOException {
        this.in = in;
        in.order(order);
        in.readAll(header, FILE_HEADER_REST, "the file header");
        nanosPerUnit = magic == NANOS ? 1 : 1000;
        // The upper half describes frame check sequences.
        linkType = header.getInt(LINK_TYPE_AT) & 0xffff;
        if (!LinkType.isKnown(linkType)) {
            throw in.corrupt(in.position() - Integer.BYTES, LinkType.unknown(linkType));
        }
    }

    @Override
    public boolean next(Packet packet) throws IOException {
        long at = in.position();
        if (!in.read(header, RECORD_HEADER, "a packet header")) {
            return false;
        }
        long seconds = Integer.toUnsignedLong(header.getInt(0));
        long fraction = Integer.toUnsignedLong(header.getInt(4));
        int captured = header.getInt(8);
        if (captured < 0 || captured > MAX_CAPTURED) {
            throw in.corrupt(
                    at,
                    "a packet with " + Integer.toUnsignedLong(captured) + " captured bytes, the maximum is "
                            + MAX_CAPTURED);
        }
        packet.timestampNanos = seconds * NANOS_PER_SECOND + fraction * nanosPerUnit;
        packet.linkType = linkType;
        packet.position = in.position();
        packet.captured = captured;
        in.readAll(packet.room(captured), captured, "a packet");
        return true;
    }
}
