package io.millrace.sender.pcap;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes captures byte by byte, as their specifications have them. */
@SuppressWarnings("ByteBufferBackingArray") // all are made by allocate()
public final class CaptureBuilder {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteOrder order;

    public CaptureBuilder(ByteOrder order) {
        this.order = order;
    }

    public byte[] bytes() {
        return out.toByteArray();
    }

    private ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(order);
    }

    private CaptureBuilder add(ByteBuffer buffer) {
        out.write(buffer.array(), 0, buffer.position());
        return this;
    }

    public CaptureBuilder pcap(int magic, int linkType) {
        return add(buffer(24)
                .putInt(magic)
                .putShort((short) 2)
                .putShort((short) 4)
                .putInt(0)
                .putInt(0)
                .putInt(262_144)
                .putInt(linkType));
    }

    public CaptureBuilder record(long seconds, int fraction, byte[] packet, int original) {
        return add(buffer(16 + packet.length)
                .putInt((int) seconds)
                .putInt(fraction)
                .putInt(packet.length)
                .putInt(original)
                .put(packet));
    }

    public CaptureBuilder block(int type, byte[] body) {
        int padded = (body.length + 3) / 4 * 4;
        return add(buffer(12 + padded)
                .putInt(type)
                .putInt(12 + padded)
                .put(body)
                .put(new byte[padded - body.length])
                .putInt(12 + padded));
    }

    public CaptureBuilder section() {
        return block(
                0x0a0d0d0a,
                buffer(20)
                        .putInt(0x1a2b3c4d)
                        .putShort((short) 1)
                        .putShort((short) 0)
                        .putLong(-1)
                        .putInt(0)
                        .array());
    }

    /** With the option if_tsresol, unless it is negative. */
    public CaptureBuilder networkInterface(int linkType, int snapLength, int resolution) {
        ByteBuffer body =
                buffer(40).putShort((short) linkType).putShort((short) 0).putInt(snapLength);
        body.putShort((short) 2)
                .putShort((short) 3)
                .put("eth".getBytes(US_ASCII))
                .put((byte) 0);
        if (resolution >= 0) {
            body.putShort((short) 9).putShort((short) 1).put((byte) resolution).put(new byte[3]);
        }
        body.putInt(0);
        byte[] bytes = new byte[body.position()];
        body.get(0, bytes);
        return block(1, bytes);
    }

    public CaptureBuilder enhanced(int number, long units, byte[] packet) {
        return block(
                6,
                buffer(20 + packet.length)
                        .putInt(number)
                        .putInt((int) (units >>> 32))
                        .putInt((int) units)
                        .putInt(packet.length)
                        .putInt(packet.length)
                        .put(packet)
                        .array());
    }

    public CaptureBuilder simple(byte[] packet, int original) {
        return block(3, buffer(4 + packet.length).putInt(original).put(packet).array());
    }

    /** A UDP datagram from port 1000 to 514. */
    public static byte[] udp(String payload) {
        byte[] bytes = payload.getBytes(US_ASCII);
        return ByteBuffer.allocate(8 + bytes.length)
                .putShort((short) 1000)
                .putShort((short) 514)
                .putShort((short) (8 + bytes.length))
                .putShort((short) 0)
                .put(bytes)
                .array();
    }

    /** An IPv4 packet from 10.0.0.1 to 10.0.0.2 with a word of options. */
    public static byte[] ipv4(int protocol, int fragment, byte[] content) {
        return ByteBuffer.allocate(24 + content.length)
                .put((byte) 0x46)
                .put((byte) 0)
                .putShort((short) (24 + content.length))
                .putShort((short) 7)
                .putShort((short) fragment)
                .put((byte) 64)
                .put((byte) protocol)
                .putShort((short) 0)
                .putInt(0x0a000001)
                .putInt(0x0a000002)
                .putInt(0x01010101)
                .put(content)
                .array();
    }

    /** An IPv6 packet from 2001:db8::1 to 2001:db8::2. */
    public static byte[] ipv6(int next, byte[] content) {
        return ByteBuffer.allocate(40 + content.length)
                .putInt(0x60000000)
                .putShort((short) content.length)
                .put((byte) next)
                .put((byte) 64)
                .putLong(0x20010db8_00000000L)
                .putLong(1)
                .putLong(0x20010db8_00000000L)
                .putLong(2)
                .put(content)
                .array();
    }

    public static byte[] join(byte[] head, byte[] rest) {
        return ByteBuffer.allocate(head.length + rest.length)
                .put(head)
                .put(rest)
                .array();
    }

    /** Bytes of hexadecimal digits. */
    public static byte[] hex(String digits) {
        return java.util.HexFormat.of().parseHex(digits.replace(" ", ""));
    }
}
