package io.millrace.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A datagram between the receive call and its frame: payload, source and time, in fields that are used again for the
 * next one. The transport fills it in; one thread.
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
     * Makes a staging area.
     *
     * @param maxDatagramBytes the longest payload to keep; the buffer has one byte more, so that a transport which is
     *     not told about truncation sees it by a full buffer
     */
    public StagedDatagram(int maxDatagramBytes) {
        this.maxDatagramBytes = maxDatagramBytes;
        this.payload = ByteBuffer.allocateDirect(maxDatagramBytes + 1).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Where a transport receives to: direct memory of max-datagram + 1 bytes. */
    public ByteBuffer payload() {
        return payload;
    }

    /**
     * Takes note of what a receive call brought into {@link #payload()}.
     *
     * @param received bytes received, up to max-datagram + 1
     */
    public void received(int received) {
        truncated = received > maxDatagramBytes;
        length = Math.min(received, maxDatagramBytes);
        originalLength = truncated ? 0 : length;
    }

    /** Takes note of the source, whose address fills the array. */
    public void source(byte[] networkOrder, int scopeId, int port) {
        source(networkOrder, networkOrder.length, scopeId, port);
    }

    /**
     * Takes note of the source.
     *
     * @param networkOrder begins with 4 bytes of an IPv4 address, or 16 of an IPv6 one; an IPv4-mapped one is taken as IPv4
     * @param addressLength 4 or 16
     * @param scopeId scope of an IPv6 address, else 0
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

    /** Takes note of the receive time, in ns since the epoch. */
    public void receiveTimeNs(long epochNs) {
        receiveTimeNs = epochNs;
    }

    /** Bytes of the payload that are kept. */
    public int length() {
        return length;
    }

    /** True if the datagram was longer than max-datagram. */
    public boolean isTruncated() {
        return truncated;
    }

    int originalLength() {
        return originalLength;
    }

    boolean isIpv6() {
        return ipv6;
    }

    byte[] address() {
        return address;
    }

    int scopeId() {
        return scopeId;
    }

    int port() {
        return port;
    }

    long receiveTimeNs() {
        return receiveTimeNs;
    }
}
