package io.millrace.sender.pcap;

import io.millrace.sender.pcap.UdpPacket.Found;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Goes through the UDP payloads of a capture file. Of packets that hold none, or not all of one, it counts why.
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
    private long payloads;
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
     * @throws PcapException when it is not a capture of a kind that is understood
     */
    public static PcapReader open(Path file) throws IOException {
        return open(Files.newInputStream(file), file.toString());
    }

    /** Reads a capture from a stream, which the reader closes; the name stands in messages. */
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
            Found found = udp.parse(packet);
            switch (found) {
                case PAYLOAD -> payloads++;
                case NOT_UDP -> notUdp++;
                case FRAGMENT -> fragments++;
                case TRUNCATED -> truncated++;
            }
            if (found == Found.PAYLOAD) {
                return true;
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

    /** Copies the payload to the array, which has room for it from the offset on. */
    public void copyPayload(byte[] target, int offset) {
        packet.data.get(udp.payloadAt, target, offset, udp.payloadLength);
    }

    /** Where the datagram came from. */
    public InetSocketAddress source() {
        return address(udp.sourceAt, udp.sourcePort);
    }

    /** Where it went. */
    public InetSocketAddress destination() {
        return address(udp.destinationAt, udp.destinationPort);
    }

    /** The port it went to; makes no object. */
    public int destinationPort() {
        return udp.destinationPort;
    }

    private InetSocketAddress address(int at, int port) {
        byte[] bytes = new byte[udp.addressLength];
        packet.data.get(at, bytes);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // 4 or 16 bytes are an address
        }
    }

    /** Payloads so far. */
    public long payloads() {
        return payloads;
    }

    /** Packets so far that are no UDP over IPv4 or IPv6. */
    public long notUdp() {
        return notUdp;
    }

    /** Fragments of IP packets so far; they are not put together. */
    public long fragments() {
        return fragments;
    }

    /** Packets so far of which not everything was captured. */
    public long truncated() {
        return truncated;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
