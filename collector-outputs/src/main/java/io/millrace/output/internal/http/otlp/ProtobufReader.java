package io.millrace.output.internal.http.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reader of one field of a small Protocol Buffers message. What is none, such as a page of a proxy, has no fields. */
final class ProtobufReader {
    private static final int FIXED64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED32 = 5;

    private final byte[] b;
    private int pos;
    private boolean failed;
    private long number;
    private int begin;
    private int end;

    private ProtobufReader(byte[] b) {
        this.b = b;
    }

    /** True if it can be read to its end; JSON and HTML cannot. */
    static boolean isValid(byte[] message) {
        ProtobufReader reader = new ProtobufReader(message);
        boolean absent = !reader.find(-1, LENGTH);
        return absent && reader.pos == message.length && !reader.failed;
    }

    /** The text of a field; null if there is none. */
    static @Nullable String text(byte[] message, int field) {
        byte[] bytes = bytes(message, field);
        return bytes == null ? null : new String(bytes, UTF_8);
    }

    /** The bytes of a field; null if there are none. */
    static byte @Nullable [] bytes(byte[] message, int field) {
        ProtobufReader reader = new ProtobufReader(message);
        return reader.find(field, LENGTH) ? Arrays.copyOfRange(message, reader.begin, reader.end) : null;
    }

    /** The number of a field; 0 if there is none. */
    static long number(byte[] message, int field) {
        ProtobufReader reader = new ProtobufReader(message);
        return reader.find(field, 0) ? reader.number : 0;
    }

    /** Moves to a field of a type; false if it is absent, or the message is invalid. */
    private boolean find(int field, int type) {
        while (pos < b.length) {
            boolean hasKey = varint();
            long key = number;
            int wire = (int) (key & 7);
            if (!hasKey || key >>> 3 == 0 || !value(wire)) {
                failed = true;
                return false;
            }
            if (key >>> 3 == field && wire == type) {
                return true;
            }
        }
        return false;
    }

    private boolean value(int wire) {
        switch (wire) {
            case 0 -> {
                return varint();
            }
            case LENGTH -> {
                if (!varint() || number < 0 || number > b.length - pos) {
                    return false;
                }
                begin = pos;
                end = pos + (int) number;
                pos = end;
            }
            case FIXED64 -> pos += Long.BYTES;
            case FIXED32 -> pos += Integer.BYTES;
            default -> {
                return false;
            }
        }
        return pos <= b.length;
    }

    private boolean varint() {
        number = 0;
        for (int shift = 0; shift < Long.SIZE && pos < b.length; shift += 7) {
            byte next = b[pos++];
            number |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return true;
            }
        }
        return false;
    }
}
