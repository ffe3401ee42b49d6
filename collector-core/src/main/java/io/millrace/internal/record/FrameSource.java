package io.millrace.internal.record;

import io.millrace.journal.FrameTransport;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The source of the messages of a connection: the part of the frame header that all of them share, encoded once. Immutable.
 */
public final class FrameSource {
    /** The text of a source without an address. */
    public static final String LOCAL = "local";

    /** The limit of all attributes together, with the name of a peer. */
    private static final int MAX_ATTRIBUTES_BYTES = 512;

    static final int MAX_HEADER_BYTES =
            BatchLayout.FRAME_HEADER_IPV6 + BatchLayout.EXTENSION_BYTES + MAX_ATTRIBUTES_BYTES;

    private static final int MAX_PEER_BYTES = 255;

    private static final byte[] NO_ATTRIBUTES = new byte[0];
    private static final byte[] NO_ADDRESS = new byte[4];

    private final boolean ipv6;
    private final byte[] attributes;
    private final int headerLength;
    /** The first eight bytes of a frame, without the lengths and the flags of a message. */
    private final long head;
    /** The next eight bytes, without the time: the address or the first four bytes of it. */
    private final long address;
    /** The rest of an IPv6 address with its scope. */
    private final long address4;

    private final long address12;
    /** The extension, without the lengths. */
    private final long extension;

    private FrameSource(FrameTransport transport, int input, byte[] address, int scopeId, int port, byte[] attributes) {
        this.ipv6 = address.length == 16;
        ByteBuffer bytes = ByteBuffer.wrap(address).order(ByteOrder.LITTLE_ENDIAN);
        this.address = (long) bytes.getInt(0) << Integer.SIZE;
        this.address4 = ipv6 ? bytes.getLong(4) : 0;
        this.address12 = ipv6 ? (bytes.getInt(12) & 0xffff_ffffL) | ((long) scopeId << Integer.SIZE) : 0;
        this.attributes = attributes;
        this.headerLength = BatchLayout.frameHeaderLength(ipv6) + BatchLayout.EXTENSION_BYTES + attributes.length;
        int flags = BatchLayout.FLAG_EXTENDED | (ipv6 ? BatchLayout.FLAG_IPV6 : 0);
        this.head = ((long) flags << (8 * BatchLayout.FRAME_FLAGS))
                | ((input & 0xffL) << (8 * BatchLayout.FRAME_INPUT))
                | ((port & 0xffffL) << (8 * BatchLayout.FRAME_SOURCE_PORT));
        this.extension = ((long) transport.id() << (8 * BatchLayout.EXTENSION_TRANSPORT))
                | ((long) attributes.length << (8 * BatchLayout.EXTENSION_ATTRIBUTES_LENGTH));
    }

    /** Copies a source with other attributes. */
    private FrameSource(FrameSource source, byte[] attributes) {
        this.ipv6 = source.ipv6;
        this.address = source.address;
        this.address4 = source.address4;
        this.address12 = source.address12;
        this.attributes = attributes;
        this.headerLength = source.headerLength - source.attributes.length + attributes.length;
        this.head = source.head;
        this.extension = source.extension
                + ((long) (attributes.length - source.attributes.length)
                        << (8 * BatchLayout.EXTENSION_ATTRIBUTES_LENGTH));
    }

    /**
     * Creates the source of a peer with an address.
     *
     * @param input the id of the input, 0 to 255
     * @param address its address; an IPv4-mapped one becomes IPv4
     */
    public static FrameSource of(FrameTransport transport, int input, InetAddress address, int port) {
        // The JDK converts IPv4-mapped addresses to IPv4.
        int scopeId = address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
        return new FrameSource(transport, input, address.getAddress(), scopeId, port, NO_ATTRIBUTES);
    }

    /** Creates the source of an unknown process of this host. */
    public static FrameSource local(FrameTransport transport, int input) {
        return new FrameSource(transport, input, NO_ADDRESS, 0, 0, NO_ATTRIBUTES);
    }

    /** Creates the source of a process of this host, with its ids from the kernel. */
    public static FrameSource local(FrameTransport transport, int input, int pid, int uid, int gid) {
        int bytes = BatchLayout.aligned(BatchLayout.ATTRIBUTE_HEADER + BatchLayout.CREDENTIALS_BYTES);
        byte[] attributes = new byte[bytes];
        ByteBuffer.wrap(attributes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) BatchLayout.ATTRIBUTE_CREDENTIALS)
                .put((byte) BatchLayout.CREDENTIALS_BYTES)
                .putInt(pid)
                .putInt(uid)
                .putInt(gid);
        return new FrameSource(transport, input, NO_ADDRESS, 0, 0, attributes);
    }

    /** Returns a copy with the peer's name in its certificate, truncated to {@value #MAX_PEER_BYTES} bytes. */
    public FrameSource of(String tlsPeer) {
        byte[] name = tlsPeer.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(name.length, MAX_PEER_BYTES);
        byte[] more = new byte[BatchLayout.aligned(attributes.length + BatchLayout.ATTRIBUTE_HEADER + length)];
        ByteBuffer.wrap(more)
                .put(attributes)
                .put((byte) BatchLayout.ATTRIBUTE_TLS_PEER)
                .put((byte) length)
                .put(name, 0, length);
        return new FrameSource(this, more);
    }

    /** Bytes before the payload. */
    int headerLength() {
        return headerLength;
    }

    /** Writes the header in words of eight bytes. */
    void writeHeader(ByteBuffer buffer, int frame, int stored, int original, int flags, int timeDelta) {
        buffer.putLong(
                frame,
                head
                        | (stored & 0xffffL)
                        | ((long) flags << (8 * BatchLayout.FRAME_FLAGS))
                        | ((long) original << (8 * BatchLayout.FRAME_ORIGINAL_LENGTH)));
        buffer.putLong(frame + BatchLayout.FRAME_TIME_DELTA, address | (timeDelta & 0xffff_ffffL));
        int at = frame + BatchLayout.FRAME_HEADER_IPV4;
        if (ipv6) {
            buffer.putLong(at, address4);
            buffer.putLong(at + Long.BYTES, address12);
            at = frame + BatchLayout.FRAME_HEADER_IPV6;
        }
        buffer.putLong(at, extension | (stored >>> 16) | ((original >>> 16) & 0xffffL) << 16);
        if (attributes.length > 0) {
            buffer.put(at + BatchLayout.EXTENSION_BYTES, attributes);
        }
    }
}
