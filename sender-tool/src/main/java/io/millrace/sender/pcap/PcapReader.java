package io.millrace.sender.pcap;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reader of the UDP payloads of a capture file. Other packets are counted by reason.
 *
 * <pre>
 * try (PcapReader reader = PcapReader.open(file)) {
 *     while (reader.next()) {
 *         reader.copyPayload(bytes, 0);
 *     }
 * }
 * </pre>
 */
public final class PcapReader implements Closeable {
    private static final int BUFFER = 1 << 18;

    private final CaptureInput in;
    private final CaptureFormat format;
    private final Packet packet = new Packet();
    private final UdpPacket udp = new UdpPacket();
    private long notUdp;
    private long fragments;
    private long truncated;

    private PcapReader(CaptureInput in) throws IOException {
        this.in = in;
        this.format = format(in);
    }

    /**
     * Opens a capture file and reads its header.
     *
     * @throws PcapException when it is not a supported capture
     */
    public static PcapReader open(Path file) throws IOException {
        return open(Files.newInputStream(file), file.toString());
    }

    /** Reads a capture from a stream, which the reader closes; messages contain the name. */
    public static PcapReader open(InputStream stream, String name) throws IOException {
        CaptureInput in = new CaptureInput(new BufferedInputStream(stream, BUFFER), name);
        try {
            return new PcapReader(in);
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    private static CaptureFormat format(CaptureInput in) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Integer.BYTES);
        in.readAll(start, Integer.BYTES, "a capture");
        int magic = start.getInt(0);
        if (magic == PcapngFormat.SECTION) {
            return new PcapngFormat(in);
        }
        if (magic == PcapFormat.MICROS || magic == PcapFormat.NANOS) {
            return new PcapFormat(in, magic, ByteOrder.BIG_ENDIAN);
        }
        int swapped = Integer.reverseBytes(magic);
        if (swapped == PcapFormat.MICROS || swapped == PcapFormat.NANOS) {
            return new PcapFormat(in, swapped, ByteOrder.LITTLE_ENDIAN);
        }
        throw in.corrupt(0, String.format("this is neither pcap nor pcapng: it begins with %08x", magic));
    }

    /**
     * Goes to the next UDP payload.
     *
     * @return false at the end of the file
     * @throws PcapException when the file is damaged
     */
    public boolean next() throws IOException {
        while (format.next(packet)) {
            switch (udp.parse(packet)) {
                case PAYLOAD -> {
                    return true;
                }
                case NOT_UDP -> notUdp++;
                case FRAGMENT -> fragments++;
                case TRUNCATED -> truncated++;
            }
        }
        return false;
    }

    /** When the packet was captured, in nanoseconds since the epoch. */
    public long timestampNanos() {
        return packet.timestampNanos;
    }

    /** The length of the payload, which may be 0. */
    public int payloadLength() {
        return udp.payloadLength;
    }

    /** Where the payload begins in the file. */
    public long payloadPosition() {
        return packet.position + udp.payloadAt;
    }

    /** Copies the payload to an array. */
    public void copyPayload(byte[] target, int offset) {
        packet.data.get(udp.payloadAt, target, offset, udp.payloadLength);
    }

    /** The address that the packet came from: 4 or 16 bytes. */
    public byte[] sourceAddress() {
        byte[] address = new byte[udp.sourceLength];
        packet.data.get(udp.sourceAt, address);
        return address;
    }

    /** Packets so far that are not UDP over IPv4 or IPv6. */
    public long notUdp() {
        return notUdp;
    }

    /** IP fragments so far; they are not reassembled. */
    public long fragments() {
        return fragments;
    }

    /** Truncated packets so far. */
    public long truncated() {
        return truncated;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
