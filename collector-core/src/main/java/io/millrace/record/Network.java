package io.millrace.record;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Addresses that begin with the same bits: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address.
 *
 * @param ipv6 the family; IPv4-mapped IPv6 is IPv4
 * @param high the first 64 bits of the first address, as a number; of IPv4 the address and 32 zeros
 * @param low its other 64 bits; of IPv4 0
 * @param bits how many bits are the same, up to 32 or 128
 */
public record Network(boolean ipv6, long high, long low, int bits) {
    /** What {@link InetAddress#getByName} does not look up as a name. */
    private static final Pattern IPV4 =
            Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");

    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern BITS = Pattern.compile("\\d{1,3}");
    private static final int MAPPED_BITS = 96;

    /** Checks that there is nothing behind the bits. */
    public Network {
        if (bits < 0 || bits > (ipv6 ? 128 : 32)) {
            throw new IllegalArgumentException("a network has 0 to " + (ipv6 ? 128 : 32) + " bits, not " + bits);
        }
        if ((high & ~maskHigh(bits)) != 0 || (low & ~maskLow(bits)) != 0) {
            throw new IllegalArgumentException("bits are set behind the first " + bits + ": the network is "
                    + new Network(ipv6, high & maskHigh(bits), low & maskLow(bits), bits));
        }
    }

    /**
     * Reads a network; no name is looked up.
     *
     * @throws IllegalArgumentException if it is none, or has bits set behind its length; the message says what would be
     *     right, and not what was given
     */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        String ip = slash < 0 ? text : text.substring(0, slash);
        String length = slash < 0 ? null : text.substring(slash + 1);
        boolean colons = ip.contains(":");
        boolean literal = (colons ? IPV6 : IPV4).matcher(ip).matches();
        if (!literal || (length != null && !BITS.matcher(length).matches())) {
            throw none(null);
        }
        try {
            InetAddress address = InetAddress.getByName(ip);
            boolean v6 = !(address instanceof Inet4Address);
            int most = v6 ? 128 : 32;
            int bits = length == null ? most : Integer.parseInt(length) - (colons && !v6 ? MAPPED_BITS : 0);
            if (bits < 0 || bits > most) {
                throw none(null);
            }
            ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
            return v6
                    ? new Network(true, bytes.getLong(), bytes.getLong(), bits)
                    : new Network(false, (long) bytes.getInt() << 32, 0, bits);
        } catch (UnknownHostException e) {
            throw none(e);
        }
    }

    private static IllegalArgumentException none(@Nullable UnknownHostException cause) {
        return new IllegalArgumentException(
                "an address or a network belongs here, such as 10.0.0.0/8 or 2001:db8::/32", cause);
    }

    /** The first 64 bits of a mask of so many bits. */
    public static long maskHigh(int bits) {
        return bits <= 0 ? 0 : -1L << (64 - Math.min(64, bits));
    }

    /** The other 64 bits of a mask of so many bits. */
    public static long maskLow(int bits) {
        return bits <= 64 ? 0 : -1L << (128 - bits);
    }

    /** True if the datagram came from here. */
    public boolean contains(DatagramView datagram) {
        if (datagram.isIpv6() != ipv6 || datagram.isLocal()) {
            return false;
        }
        return ipv6
                ? contains(datagram.sourceHigh(), datagram.sourceLow())
                : contains((long) datagram.sourceIpv4() << 32, 0);
    }

    /** True if all of the other one is in this one. */
    public boolean contains(Network other) {
        return other.ipv6 == ipv6 && other.bits >= bits && contains(other.high, other.low);
    }

    private boolean contains(long otherHigh, long otherLow) {
        return ((otherHigh ^ high) & maskHigh(bits)) == 0 && ((otherLow ^ low) & maskLow(bits)) == 0;
    }

    /** As it is written; one address without its length. */
    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(high).putLong(low);
        byte[] address = new byte[ipv6 ? 16 : 4];
        bytes.flip().get(address);
        try {
            String ip = IpText.of(InetAddress.getByAddress(address));
            return bits == address.length * 8 ? ip : ip + "/" + bits;
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes is always one", e);
        }
    }
}
