package io.millrace.fuzz;

import java.util.Arrays;

/** Input as numbers and pieces, from its first byte on; zeros when it has ended. */
public final class FuzzBytes {
    private final byte[] bytes;
    private int at;

    /** All of an input. */
    public FuzzBytes(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    /** True when nothing is left. */
    public boolean isEmpty() {
        return at >= bytes.length;
    }

    /** A number from 0 to 255. */
    public int u8() {
        return isEmpty() ? 0 : bytes[at++] & 0xff;
    }

    /** A number from 0 to 65,535. */
    public int u16() {
        return u8() << 8 | u8();
    }

    /** Any number. */
    public long i64() {
        return (long) u16() << 48 | (long) u16() << 32 | (long) u16() << 16 | u16();
    }

    /** As many bytes, or those that are left. */
    public byte[] take(int length) {
        int from = Math.min(at, bytes.length);
        at = Math.min(from + length, bytes.length);
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** What is left. */
    public byte[] rest() {
        return take(bytes.length);
    }
}
