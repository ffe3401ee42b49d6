package io.millrace.transport;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A received datagram before it becomes a frame: payload, source and time. The transport fills it and reuses it for the
 * next datagram. One thread.
 */
public final class StagedDatagram {
    private final ByteBuffer payload;
    private final int maxDatagramBytes;
    private final byte[] address = new byte[16];

    private int length;
    private boolean truncated;
    private int originalLength;
    private boolean ipv6;
    private int scopeId;
    private int port;
    private long receiveTimeNs;

    /**
     * Creates an empty datagram.
     *
     * @param maxDatagramBytes the longest payload to keep. The buffer has one more byte: a full buffer shows truncation to
     *     a transport that is not told about it
     */
    public StagedDatagram(int maxDatagramBytes) {
        this.maxDatagramBytes = maxDatagramBytes;
        this.payload = ByteBuffer.allocateDirect(maxDatagramBytes + 1).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The buffer to receive into: direct memory of max-datagram + 1 bytes. */
    public ByteBuffer payload() {
        return payload;
    }

    /**
     * Sets the length of a datagram that was received into {@link #payload()}.
     *
     * @param received bytes received, up to max-datagram + 1
     */
    public void received(int received) {
        truncated = received > maxDatagramBytes;
        length = Math.min(received, maxDatagramBytes);
        originalLength = truncated ? 0 : length;
    }

    /** Sets the source. The address fills the array. */
    public void source(byte[] networkOrder, int scopeId, int port) {
        source(networkOrder, networkOrder.length, scopeId, port);
    }

    /**
     * Sets the source.
     *
     * @param networkOrder begins with an IPv4 address in 4 bytes, or an IPv6 address in 16; an IPv4-mapped one becomes IPv4
     * @param addressLength 4 or 16
     * @param scopeId scope of an IPv6 address; 0 for IPv4
     * @param port source port
     */
    public void source(byte[] networkOrder, int addressLength, int scopeId, int port) {
        boolean mapped = addressLength == 16 && isMapped(networkOrder);
        this.ipv6 = addressLength == 16 && !mapped;
        System.arraycopy(networkOrder, mapped ? 12 : 0, address, 0, ipv6 ? 16 : 4);
        this.scopeId = ipv6 ? scopeId : 0;
        this.port = port;
    }

    private static boolean isMapped(byte[] address) {
        for (int i = 0; i < 10; i++) {
            if (address[i] != 0) {
                return false;
            }
        }
        return address[10] == (byte) 0xff && address[11] == (byte) 0xff;
    }

    /** Sets the receive time, in ns since the epoch. */
    public void receiveTimeNs(long epochNs) {
        receiveTimeNs = epochNs;
    }

    /** The stored length of the payload, in bytes. */
    public int length() {
        return length;
    }

    /** True if the datagram was longer than max-datagram. */
    public boolean isTruncated() {
        return truncated;
    }

    /** The length on the wire, in bytes; 0 if it is truncated. */
    public int originalLength() {
        return originalLength;
    }

    /** True if the source has an IPv6 address. */
    public boolean isIpv6() {
        return ipv6;
    }

    /** The array with the source address in its first 4 or 16 bytes, in network order; not a copy. */
    public byte[] address() {
        return address;
    }

    /** The scope of an IPv6 address; 0 for IPv4. */
    public int scopeId() {
        return scopeId;
    }

    /** The source port. */
    public int port() {
        return port;
    }

    /** The receive time, in ns since the epoch. */
    public long receiveTimeNs() {
        return receiveTimeNs;
    }
}
