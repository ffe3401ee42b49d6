package io.millrace.journal;

import io.millrace.internal.record.BatchLayout;
import io.millrace.internal.record.BatchView;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.record.Priority;
import io.millrace.internal.text.IpText;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A view of a datagram in the journal's memory. It is valid only until the handler returns: copy it to keep it.
 * Fields are decoded when they are read. One thread.
 */
public final class DatagramView {
    private static final long IPV4_MAPPED = 0xffff_0000_0000L;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int frame;
    private int end;
    private long baseTimeNs;
    /** Decoded once, because other fields are located by it. */
    private int payload;

    private int payloadLength;
    private int nextFrame;

    /** Creates an empty view, for {@link BatchView#first}. */
    public DatagramView() {}

    /**
     * Moves the view to a frame of a batch.
     *
     * @param memory the batch
     * @param firstFrame the offset of the frame
     * @param batchEnd where the batch ends
     * @param batchBaseTimeNs the time that the times of frames are relative to
     */
    public void wrap(ByteBuffer memory, int firstFrame, int batchEnd, long batchBaseTimeNs) {
        buffer = memory;
        frame = firstFrame;
        end = batchEnd;
        baseTimeNs = batchBaseTimeNs;
        decode();
    }

    private void decode() {
        int header = BatchLayout.headerLengthAt(buffer, frame);
        payload = frame + header;
        payloadLength = BatchLayout.storedLengthAt(buffer, frame);
        nextFrame = frame + BatchLayout.aligned(header + payloadLength);
    }

    /**
     * Moves to the next datagram of the batch.
     *
     * @return false if there is none
     */
    public boolean next() {
        frame = nextFrame;
        if (frame >= end) {
            return false;
        }
        decode();
        return true;
    }

    /** Returns a copy of this datagram in its own memory, which stays valid. */
    public DatagramView copy() {
        byte[] bytes = new byte[nextFrame - frame];
        buffer.get(frame, bytes);
        DatagramView copy = new DatagramView();
        copy.wrap(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN), 0, bytes.length, baseTimeNs);
        return copy;
    }

    /** The length of its frame, in bytes. */
    public int frameBytes() {
        return nextFrame - frame;
    }

    /** Copies the frame to other memory, which has room for {@link #frameBytes()}. */
    public void copyFrame(ByteBuffer to, int offset) {
        to.put(offset, buffer, frame, nextFrame - frame);
    }

    /** When the datagram was received, in ns since the epoch. */
    public long receiveTimeNs() {
        return baseTimeNs + buffer.getInt(frame + BatchLayout.FRAME_TIME_DELTA);
    }

    /**
     * True if the receive time is the kernel's, taken when the datagram arrived. If false, it is the time of the read, or the
     * batch timestamp: the kernel's time of the last datagram of the same read.
     */
    public boolean isKernelTime() {
        return (flags() & BatchLayout.FLAG_KERNEL_TIME) != 0;
    }

    /** The id of the input; the journal has its name. */
    public int input() {
        return Byte.toUnsignedInt(buffer.get(frame + BatchLayout.FRAME_INPUT));
    }

    /** True if the source has an IPv6 address. */
    public boolean isIpv6() {
        return (flags() & BatchLayout.FLAG_IPV6) != 0;
    }

    /** True if the frame has an extension. Without one it is a UDP datagram. */
    public boolean isExtended() {
        return (flags() & BatchLayout.FLAG_EXTENDED) != 0;
    }

    private int extension() {
        return frame + BatchLayout.frameHeaderLength(isIpv6());
    }

    /** The transport of the message. */
    public FrameTransport transport() {
        return isExtended()
                ? FrameTransport.of(Byte.toUnsignedInt(buffer.get(extension() + BatchLayout.EXTENSION_TRANSPORT)))
                : FrameTransport.UDP;
    }

    /** True if a process of this host sent it through a Unix socket. It then has no address, and port 0. */
    public boolean isLocal() {
        return isExtended() && transport().isLocal();
    }

    /** True if the connection ended before the message was complete. */
    public boolean isIncomplete() {
        return (flags() & BatchLayout.FLAG_INCOMPLETE) != 0;
    }

    /** True if the sending process is known: {@link #pid()}, {@link #uid()}, {@link #gid()}. */
    public boolean hasCredentials() {
        return credentials() >= 0;
    }

    /** The process id of the sender, from the kernel; -1 if unknown. */
    public long pid() {
        return credential(0);
    }

    /** The user id of the sender, from the kernel; -1 if unknown. */
    public long uid() {
        return credential(Integer.BYTES);
    }

    /** The group id of the sender, from the kernel; -1 if unknown. */
    public long gid() {
        return credential(2 * Integer.BYTES);
    }

    private long credential(int offset) {
        int at = credentials();
        return at < 0 ? -1 : Integer.toUnsignedLong(buffer.getInt(at + offset));
    }

    private int credentials() {
        int at = attribute(BatchLayout.ATTRIBUTE_CREDENTIALS);
        return at >= 0 && attributeLength(at) == BatchLayout.CREDENTIALS_BYTES ? at : -1;
    }

    /** The length of the peer's name in its certificate, in bytes; -1 if it presented none. */
    public int tlsPeerLength() {
        int at = attribute(BatchLayout.ATTRIBUTE_TLS_PEER);
        return at < 0 ? -1 : attributeLength(at);
    }

    /** The peer's name in its certificate, as a new object; null if it presented none. */
    public byte @Nullable [] tlsPeer() {
        int at = attribute(BatchLayout.ATTRIBUTE_TLS_PEER);
        if (at < 0) {
            return null;
        }
        byte[] name = new byte[attributeLength(at)];
        buffer.get(at, name);
        return name;
    }

    private int attributeLength(int value) {
        return Byte.toUnsignedInt(buffer.get(value - 1));
    }

    /** The offset of the value of an attribute; -1 if the frame does not have it. */
    private int attribute(int type) {
        if (!isExtended()) {
            return -1;
        }
        int limit = payload;
        int at = extension() + BatchLayout.EXTENSION_BYTES;
        while (at + BatchLayout.ATTRIBUTE_HEADER <= limit && buffer.get(at) != BatchLayout.ATTRIBUTE_END) {
            int bytes = Byte.toUnsignedInt(buffer.get(at + 1));
            int value = at + BatchLayout.ATTRIBUTE_HEADER;
            if (buffer.get(at) == type && value + bytes <= limit) {
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
            throw new AssertionError("an address of 4 or 16 bytes is always valid", e);
        }
    }

    /** The IPv4 source address as a number, its first byte highest. Only if {@link #isIpv6()} is false. */
    public int sourceIpv4() {
        return Integer.reverseBytes(buffer.getInt(frame + BatchLayout.FRAME_ADDRESS));
    }

    /** One byte of the source address, which has 4 bytes, or 16 if {@link #isIpv6()}. */
    public byte sourceByte(int index) {
        return buffer.get(frame + BatchLayout.FRAME_ADDRESS + index);
    }

    /** The first eight bytes of the source address as IPv6, without its scope. IPv4 is mapped to {@code ::ffff:a.b.c.d}. */
    public long sourceHigh() {
        return isIpv6() ? Long.reverseBytes(buffer.getLong(frame + BatchLayout.FRAME_ADDRESS)) : 0;
    }

    /** The last eight bytes of the source address as IPv6. */
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
        return payloadLength;
    }

    /**
     * The length of the payload on the wire, in bytes; -1 if it is truncated and the transport does not know. For an
     * incomplete message, the announced length.
     */
    public int originalLength() {
        int original = BatchLayout.lengthAt(
                buffer, frame, BatchLayout.FRAME_ORIGINAL_LENGTH, BatchLayout.EXTENSION_ORIGINAL_LENGTH_HIGH);
        return original == 0 && isTruncated() ? -1 : original;
    }

    /** The severity of its PRI part, 0 (emergency) to 7 (debug); -1 if it has none. */
    public int severity() {
        return Priority.severity(buffer, payload, payloadLength);
    }

    /** One byte of the payload. */
    public byte payloadByte(int index) {
        return buffer.get(payload + index);
    }

    /** Eight bytes of the payload, the first one lowest. */
    public long payloadLong(int index) {
        return buffer.getLong(payload + index);
    }

    /**
     * Copies the payload.
     *
     * @param target an array with room for {@link #payloadLength()} bytes from the offset on
     */
    public void copyPayload(byte[] target, int targetOffset) {
        buffer.get(payload, target, targetOffset, payloadLength);
    }

    /**
     * Copies the payload from an index on.
     *
     * @return bytes copied
     */
    public int copyTail(int from, byte[] target, int targetOffset) {
        int length = Math.max(0, payloadLength - from);
        buffer.get(payload + from, target, targetOffset, length);
        return length;
    }

    /**
     * Copies as much of the payload as fits to the beginning of an array.
     *
     * @return bytes copied
     */
    public int copyHead(byte[] target) {
        int length = Math.min(payloadLength, target.length);
        buffer.get(payload, target, 0, length);
        return length;
    }

    /** The payload as UTF-8 text, as a new object. Invalid bytes become U+FFFD. */
    public String payloadText() {
        byte[] bytes = new byte[payloadLength];
        copyPayload(bytes, 0);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private int flags() {
        return buffer.get(frame + BatchLayout.FRAME_FLAGS);
    }
}
