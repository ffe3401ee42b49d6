package io.millrace.record;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A datagram in the journal's memory. It is valid only until the call that handed it out returns: copy what is to be
 * kept. Nothing is decoded before it is asked for. One thread.
 */
public final class DatagramView {
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int frame;
    private int end;
    private long baseTimeNs;

    /** Makes a view on nothing, for {@link BatchView#first}. */
    public DatagramView() {}

    void wrap(ByteBuffer memory, int firstFrame, int batchEnd, long batchBaseTimeNs) {
        buffer = memory;
        frame = firstFrame;
        end = batchEnd;
        baseTimeNs = batchBaseTimeNs;
    }

    /**
     * Goes to the next datagram of the batch.
     *
     * @return false if this was the last
     */
    public boolean next() {
        frame += BatchLayout.frameLengthAt(buffer, frame);
        return frame < end;
    }

    /** A view of the same datagram in memory of its own, which stays. */
    public DatagramView copy() {
        byte[] bytes = new byte[BatchLayout.frameLengthAt(buffer, frame)];
        buffer.get(frame, bytes);
        DatagramView copy = new DatagramView();
        copy.wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length, baseTimeNs);
        return copy;
    }

    /** When the datagram was received, in ns since the epoch. */
    public long receiveTimeNs() {
        return baseTimeNs + buffer.getInt(frame + BatchLayout.FRAME_TIME_DELTA);
    }

    /**
     * True if the receive time was taken by the kernel as the datagram came in. If false, it was taken as the
     * datagram was read, or is the kernel's of the last one that was read by the same call.
     */
    public boolean isKernelTime() {
        return (flags() & BatchLayout.FLAG_KERNEL_TIME) != 0;
    }

    /** Id of the input; the journal knows its name. */
    public int input() {
        return Byte.toUnsignedInt(buffer.get(frame + BatchLayout.FRAME_INPUT));
    }

    /** True if the source has an IPv6 address. */
    public boolean isIpv6() {
        return (flags() & BatchLayout.FLAG_IPV6) != 0;
    }

    /** True if it has an extension, without which a frame is a UDP datagram. */
    private boolean isExtended() {
        return (flags() & BatchLayout.FLAG_EXTENDED) != 0;
    }

    private int extension() {
        return frame + BatchLayout.frameHeaderLength(isIpv6());
    }

    /** How it came in. */
    public FrameTransport transport() {
        return isExtended()
                ? FrameTransport.of(Byte.toUnsignedInt(buffer.get(extension() + BatchLayout.EXTENSION_TRANSPORT)))
                : FrameTransport.UDP;
    }

    /** True if it comes from a process of this host by a Unix socket: it has no address then, and port 0. */
    public boolean isLocal() {
        return isExtended() && transport().isLocal();
    }

    /** True if the connection ended before the message did. */
    public boolean isIncomplete() {
        return (flags() & BatchLayout.FLAG_INCOMPLETE) != 0;
    }

    /** True if the process that sent it is known: {@link #pid()}, {@link #uid()}, {@link #gid()}. */
    public boolean hasCredentials() {
        return credentials() >= 0;
    }

    /** Id of the process that sent it, as the kernel says; -1 if that is not known. */
    public long pid() {
        return credential(0);
    }

    /** Id of the user of the same. */
    public long uid() {
        return credential(Integer.BYTES);
    }

    /** Id of the group of the same. */
    public long gid() {
        return credential(2 * Integer.BYTES);
    }

    private long credential(int offset) {
        int at = credentials();
        return at < 0 ? -1 : Integer.toUnsignedLong(buffer.getInt(at + offset));
    }

    /** Where the value of the attribute begins; -1 if there is none. */
    private int credentials() {
        if (!isExtended()) {
            return -1;
        }
        int limit = payloadOffset();
        int at = extension() + BatchLayout.EXTENSION_BYTES;
        while (at + BatchLayout.ATTRIBUTE_HEADER <= limit && buffer.get(at) != BatchLayout.ATTRIBUTE_END) {
            int bytes = Byte.toUnsignedInt(buffer.get(at + 1));
            int value = at + BatchLayout.ATTRIBUTE_HEADER;
            if (buffer.get(at) == BatchLayout.ATTRIBUTE_CREDENTIALS && bytes == BatchLayout.CREDENTIALS_BYTES) {
                return value;
            }
            at = value + bytes;
        }
        return -1;
    }

    /** Source port; 0 if {@link #isLocal()}. */
    public int sourcePort() {
        return Short.toUnsignedInt(buffer.getShort(frame + BatchLayout.FRAME_SOURCE_PORT));
    }

    /** Source address as text, {@code local} if {@link #isLocal()}. */
    public String sourceText() {
        return isLocal() ? FrameSource.LOCAL : IpText.of(sourceAddress());
    }

    /** Source address, as a new object; {@code 0.0.0.0} if {@link #isLocal()}. */
    public InetAddress sourceAddress() {
        byte[] address = new byte[isIpv6() ? 16 : 4];
        buffer.get(frame + BatchLayout.FRAME_ADDRESS, address);
        try {
            int scopeId = isIpv6() ? buffer.getInt(frame + BatchLayout.FRAME_SCOPE_ID) : 0;
            return scopeId == 0 ? InetAddress.getByAddress(address) : Inet6Address.getByAddress(null, address, scopeId);
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes is always one", e);
        }
    }

    /** Source address, if {@link #isIpv6()} is false: its four bytes as a number, the first of them highest. */
    public int sourceIpv4() {
        return Integer.reverseBytes(buffer.getInt(frame + BatchLayout.FRAME_ADDRESS));
    }

    /** One byte of the source address, of 4 or, if {@link #isIpv6()}, of 16. */
    public byte sourceByte(int index) {
        return buffer.get(frame + BatchLayout.FRAME_ADDRESS + index);
    }

    /** The first eight bytes of the source address as IPv6 has it: IPv4 is {@code ::ffff:a.b.c.d}, without the scope. */
    public long sourceHigh() {
        return isIpv6() ? Long.reverseBytes(buffer.getLong(frame + BatchLayout.FRAME_ADDRESS)) : 0;
    }

    /** The last eight bytes of the same. */
    public long sourceLow() {
        return isIpv6()
                ? Long.reverseBytes(buffer.getLong(frame + BatchLayout.FRAME_ADDRESS + Long.BYTES))
                : IPV4_MAPPED | Integer.toUnsignedLong(sourceIpv4());
    }

    /** True if the datagram was longer than what is stored. */
    public boolean isTruncated() {
        return (flags() & BatchLayout.FLAG_TRUNCATED) != 0;
    }

    /** Bytes of the payload as stored. */
    public int payloadLength() {
        return BatchLayout.storedLengthAt(buffer, frame);
    }

    /**
     * Bytes of the payload on the wire, or -1 if it is truncated and the transport could not tell. Of an incomplete one, what
     * was announced.
     */
    public int originalLength() {
        int original = BatchLayout.lengthAt(
                buffer, frame, BatchLayout.FRAME_ORIGINAL_LENGTH, BatchLayout.EXTENSION_ORIGINAL_LENGTH_HIGH);
        return original == 0 && isTruncated() ? -1 : original;
    }

    /** One byte of the payload. */
    public byte payloadByte(int index) {
        return buffer.get(payloadOffset() + index);
    }

    /**
     * Copies the payload.
     *
     * @param target room for {@link #payloadLength()} bytes from the offset on
     */
    public void copyPayload(byte[] target, int targetOffset) {
        buffer.get(payloadOffset(), target, targetOffset, payloadLength());
    }

    /**
     * Copies the beginning of the payload to the beginning of an array: as much as there is, and as fits.
     *
     * @return bytes copied
     */
    public int copyHead(byte[] target) {
        int length = Math.min(payloadLength(), target.length);
        buffer.get(payloadOffset(), target, 0, length);
        return length;
    }

    /** The payload as UTF-8 text, with U+FFFD for what is none, as a new object. */
    public String payloadText() {
        byte[] bytes = new byte[payloadLength()];
        copyPayload(bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private int payloadOffset() {
        return frame + BatchLayout.headerLengthAt(buffer, frame);
    }

    private int flags() {
        return buffer.get(frame + BatchLayout.FRAME_FLAGS);
    }
}
