package io.millrace.sources;

import io.millrace.record.FrameSource;
import io.millrace.record.IpText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The address of a source: 16 bytes, IPv4 as {@code ::ffff:a.b.c.d}; ports and scopes are left out.
 *
 * @param high the first eight bytes
 * @param low the last eight
 */
public record SourceAddress(long high, long low) {
    /** {@code 0.0.0.0}: no sender has it. */
    private static final long IPV4_NONE = 0xffff_0000_0000L;

    /** A secret of this process: who chooses addresses cannot choose where they fall in a table. */
    private static final long SEED = System.nanoTime() * 0x9E37_79B9_7F4A_7C15L ^ System.identityHashCode(new Object());

    /** The hash of an address, the same as long as the process lives. */
    static int hash(long high, long low) {
        long mixed = mix(mix(high ^ SEED) + low);
        return (int) (mixed ^ mixed >>> 32);
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        return (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
    }

    /** The address, IPv4 as such. */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(high)
                    .putLong(low)
                    .array());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 16 bytes is always one", e);
        }
    }

    private boolean isLocal() {
        return high == 0 && low == IPV4_NONE;
    }

    @Override
    public String toString() {
        // Sources without an address, at Unix sockets, are one.
        return isLocal() ? FrameSource.LOCAL : IpText.of(toInetAddress());
    }
}
