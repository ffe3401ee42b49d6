package io.millrace.sender.pcap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The pcapng format: blocks in sections. Each section has its own byte order and interfaces. */
final class PcapngFormat implements CaptureFormat {
    static final int SECTION = 0x0a0d0d0a;

    private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
    private static final int INTERFACE = 1;
    private static final int SIMPLE_PACKET = 3;
    private static final int ENHANCED_PACKET = 6;

    /** The type and length before the body of a block and the length after it. */
    private static final int AROUND = 12;

    private static final int SECTION_BODY = 16;
    private static final int INTERFACE_HEAD = 8;
    private static final int ENHANCED_HEAD = 20;
    private static final int MAX_INTERFACE_BODY = 1 << 20;
    private static final int OPTION_RESOLUTION = 9;
    private static final int OPTION_OFFSET = 14;

    private final CaptureInput in;
    private final ByteBuffer head = ByteBuffer.allocate(ENHANCED_HEAD);
    private final List<Interface> interfaces = new ArrayList<>();
    private long lastTimestamp;

    /**
     * An interface block.
     *
     * @param snapLength 0 for no limit
     */
    private record Interface(int linkType, long snapLength, Resolution resolution, long offsetSeconds) {}

    /**
     * The unit of time: a negative power of 10 or 2.
     *
     * @param power the negated exponent
     * @param binary whether the base is 2
     */
    record Resolution(int power, boolean binary) {
        static final Resolution MICROS = new Resolution(6, false);
        private static final long NANOS_PER_SECOND = 1_000_000_000;
        private static final int NANO_POWER = 9;
        private static final int LAST_DECIMAL = 18;

        static Resolution of(byte option) {
            return new Resolution(option & 0x7f, option < 0);
        }

        /** Units in nanoseconds. Values beyond 64 bits are not from a clock; they wrap. */
        long nanos(long units) {
            if (binary) {
                int bits = Math.min(power, Long.SIZE - 1);
                long fraction = units & ((1L << bits) - 1);
                int shift = Math.max(bits - 32, 0);
                return (units >>> bits) * NANOS_PER_SECOND
                        + (((fraction >>> shift) * NANOS_PER_SECOND) >>> (bits - shift));
            }
            long factor = 1;
            for (int i = Math.min(power, LAST_DECIMAL); i != NANO_POWER; i += i < NANO_POWER ? 1 : -1) {
                factor *= 10;
            }
            return power <= NANO_POWER ? units * factor : units / factor;
        }
    }

    /** Starts after the block type of the first section. */
    PcapngFormat(CaptureInput in) throws IOException {
        this.in = in;
        readSection(in.position() - Integer.BYTES);
    }

    @Override
    public boolean next(Packet packet) throws IOException {
        while (true) {
            long at = in.position();
            if (!in.read(head, Integer.BYTES, "a block")) {
                return false;
            }
            int type = head.getInt(0);
            if (type == SECTION) {
                readSection(at);
                continue;
            }
            in.readAll(head, Integer.BYTES, "a block's length");
            int body = checkedLength(at, head.getInt(0)) - AROUND;
            boolean isPacket = type == ENHANCED_PACKET || type == SIMPLE_PACKET;
            if (type == ENHANCED_PACKET) {
                readEnhanced(at, body, packet);
            } else if (type == SIMPLE_PACKET) {
                readSimple(at, body, packet);
            } else if (type == INTERFACE) {
                readInterface(at, body);
            } else {
                in.skip(body, "a block");
            }
            readLengthAgain(at, body + AROUND);
            if (isPacket) {
                return true;
            }
        }
    }

    private void readSection(long at) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Long.BYTES);
        in.order(ByteOrder.BIG_ENDIAN);
        in.readAll(start, Long.BYTES, "a section's header");
        if (start.getInt(4) == Integer.reverseBytes(BYTE_ORDER_MAGIC)) {
            in.order(ByteOrder.LITTLE_ENDIAN);
            start.order(ByteOrder.LITTLE_ENDIAN);
        } else if (start.getInt(4) != BYTE_ORDER_MAGIC) {
            throw in.corrupt(at, "a section header without a byte order");
        }
        int length = checkedLength(at, start.getInt(0));
        if (length < AROUND + SECTION_BODY) {
            throw in.corrupt(at, "a section's header of " + length + " bytes is too short");
        }
        in.skip(length - AROUND - Integer.BYTES, "a section's header");
        readLengthAgain(at, length);
        interfaces.clear();
    }

    private int checkedLength(long at, int length) throws PcapException {
        if (length < AROUND || length % Integer.BYTES != 0) {
            throw in.corrupt(
                    at,
                    "a block has the length " + Integer.toUnsignedLong(length) + "; valid is a multiple of 4 from "
                            + AROUND + " to 2 GiB");
        }
        return length;
    }

    private void readLengthAgain(long at, int length) throws IOException {
        in.readAll(head, Integer.BYTES, "the end of a block");
        if (head.getInt(0) != length) {
            throw in.corrupt(
                    in.position() - Integer.BYTES,
                    "the block at byte " + at + " has the length " + length + " at its start and "
                            + Integer.toUnsignedLong(head.getInt(0)) + " at its end");
        }
    }

    private void readInterface(long at, int length) throws IOException {
        if (length < INTERFACE_HEAD || length > MAX_INTERFACE_BODY) {
            throw in.corrupt(at, "an interface's block of " + (length + AROUND) + " bytes");
        }
        ByteBuffer body = ByteBuffer.allocate(length);
        in.readAll(body, length, "an interface's block");
        int linkType = body.getShort(0) & 0xffff;
        long snapLength = Integer.toUnsignedLong(body.getInt(4));
        Resolution resolution = Resolution.MICROS;
        long offset = 0;
        body.position(INTERFACE_HEAD);
        while (body.remaining() >= Integer.BYTES) {
            int code = body.getShort() & 0xffff;
            int size = body.getShort() & 0xffff;
            if (code == 0) {
                break;
            }
            int padded = (size + 3) & ~3;
            if (padded > body.remaining()) {
                throw in.corrupt(at, "an option of an interface's block is longer than the block");
            }
            if (code == OPTION_RESOLUTION && size == 1) {
                resolution = Resolution.of(body.get(body.position()));
            } else if (code == OPTION_OFFSET && size == Long.BYTES) {
                offset = body.getLong(body.position());
            }
            body.position(body.position() + padded);
        }
        interfaces.add(new Interface(linkType, snapLength, resolution, offset));
    }

    private void readEnhanced(long at, int length, Packet packet) throws IOException {
        if (length < ENHANCED_HEAD) {
            throw in.corrupt(at, "a packet's block of " + (length + AROUND) + " bytes is too short");
        }
        in.readAll(head, ENHANCED_HEAD, "a packet's block");
        Interface from = interfaceOf(at, head.getInt(0));
        long units = Integer.toUnsignedLong(head.getInt(4)) << Integer.SIZE | Integer.toUnsignedLong(head.getInt(8));
        lastTimestamp = from.resolution().nanos(units) + from.offsetSeconds() * Resolution.NANOS_PER_SECOND;
        readData(at, head.getInt(12), length - ENHANCED_HEAD, from, packet);
    }

    /** A simple packet has no time; it gets that of the previous packet. */
    private void readSimple(long at, int length, Packet packet) throws IOException {
        if (length < Integer.BYTES) {
            throw in.corrupt(at, "a packet's block of " + (length + AROUND) + " bytes is too short");
        }
        in.readAll(head, Integer.BYTES, "a packet's block");
        Interface from = interfaceOf(at, 0);
        long original = Integer.toUnsignedLong(head.getInt(0));
        long captured = from.snapLength() == 0 ? original : Math.min(original, from.snapLength());
        readData(at, (int) Math.min(captured, Integer.MAX_VALUE), length - Integer.BYTES, from, packet);
    }

    private void readData(long at, int captured, int room, Interface from, Packet packet) throws IOException {
        if (captured < 0 || captured > MAX_CAPTURED || captured > room) {
            throw in.corrupt(
                    at,
                    "a packet with " + Integer.toUnsignedLong(captured) + " captured bytes; its block has " + room
                            + " bytes, and the maximum is " + MAX_CAPTURED);
        }
        packet.timestampNanos = lastTimestamp;
        packet.linkType = from.linkType();
        packet.position = in.position();
        packet.captured = captured;
        in.readAll(packet.room(captured), captured, "a packet");
        in.skip(room - captured, "a packet's block");
    }

    private Interface interfaceOf(long at, int number) throws PcapException {
        if (number < 0 || number >= interfaces.size()) {
            throw in.corrupt(
                    at,
                    "a packet of interface " + Integer.toUnsignedLong(number) + ", and the section has "
                            + interfaces.size() + " interfaces");
        }
        return interfaces.get(number);
    }
}
