package io.millrace.collector;

import io.millrace.internal.record.FrameSource;
import io.millrace.internal.text.IpText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * The IP address of a source in 16 bytes, IPv4 as {@code ::ffff:a.b.c.d}; without port and scope.
 *
 * @param high the first eight bytes
 * @param low the last eight
 */
public record SourceAddress(long high, long low) {
    /** {@code 0.0.0.0}, which no sender has. */
    private static final long IPV4_NONE = 0xffff_0000_0000L;

    private static final Pattern LITERAL = Pattern.compile("[0-9]+(\\.[0-9]+){3}|[0-9a-f.]*:[0-9a-f:.]*");

    /**
     * Parses the text of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static SourceAddress parse(String text) {
        if (text.equals(FrameSource.LOCAL)) {
            return new SourceAddress(0, IPV4_NONE);
        }
        // Nothing else is looked up in the DNS.
        if (!LITERAL.matcher(text).matches()) {
            throw new IllegalArgumentException("not an IP address: " + text);
        }
        try {
            byte[] bytes = InetAddress.getByName(text).getAddress();
            return bytes.length == Integer.BYTES
                    ? new SourceAddress(0, IPV4_NONE | (ByteBuffer.wrap(bytes).getInt() & 0xffff_ffffL))
                    : new SourceAddress(
                            ByteBuffer.wrap(bytes).getLong(),
                            ByteBuffer.wrap(bytes).getLong(Long.BYTES));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("not an IP address: " + text, e);
        }
    }

    /** The address as a Java object; IPv4-mapped addresses become IPv4. */
    public InetAddress toInetAddress() {
        try {
            return InetAddress.getByAddress(ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(high)
                    .putLong(low)
                    .array());
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are always a valid address", e);
        }
    }

    /** The address as a network of one. */
    public Network network() {
        return isIpv4()
                ? new Network(false, low << Integer.SIZE, 0, Integer.SIZE)
                : new Network(true, high, low, 2 * Long.SIZE);
    }

    private boolean isIpv4() {
        return high == 0 && low >>> Integer.SIZE == IPV4_NONE >>> Integer.SIZE;
    }

    /** True for what stands for all senders at Unix sockets, which have no address. */
    public boolean isLocal() {
        return high == 0 && low == IPV4_NONE;
    }

    @Override
    public String toString() {
        return isLocal() ? FrameSource.LOCAL : IpText.of(toInetAddress());
    }
}
