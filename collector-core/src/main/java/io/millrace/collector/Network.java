package io.millrace.collector;

import io.millrace.internal.text.IpText;
import io.millrace.journal.DatagramView;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network in CIDR notation, or one address: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, {@code 192.0.2.1}.
 *
 * @param ipv6 the family; IPv4-mapped IPv6 is IPv4
 * @param high the first 64 bits of the first address, as a number; for IPv4 the address and 32 zero bits
 * @param low its last 64 bits; 0 for IPv4
 * @param bits the prefix length, up to 32 or 128
 */
public record Network(boolean ipv6, long high, long low, int bits) {
    /** Address literals only: {@link InetAddress#getByName} looks up everything else as a name. */
    private static final Pattern IPV4 =
            Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");

    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    private static final Pattern BITS = Pattern.compile("\\d{1,3}");
    private static final int MAPPED_BITS = 96;

    /** Checks that no bits are set after the prefix. */
    public Network {
        if (bits < 0 || bits > (ipv6 ? 128 : 32)) {
            throw new IllegalArgumentException("a prefix length is 0 to " + (ipv6 ? 128 : 32) + ", not " + bits);
        }
        if ((high & ~maskHigh(bits)) != 0 || (low & ~maskLow(bits)) != 0) {
            throw new IllegalArgumentException("bits are set behind the first " + bits + ": the network is "
                    + new Network(ipv6, high & maskHigh(bits), low & maskLow(bits), bits));
        }
    }

    /**
     * Parses a network or an address. Names are not looked up.
     *
     * @throws IllegalArgumentException if the text is neither, or has bits set after the prefix. The message says what would
     *     be right, and does not repeat the text
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
            int maxBits = v6 ? 128 : 32;
            int bits = length == null ? maxBits : Integer.parseInt(length) - (colons && !v6 ? MAPPED_BITS : 0);
            if (bits < 0 || bits > maxBits) {
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

    /**
     * The network of an address, for limits per source: who has an IPv6 address usually has the 64 bits after its network too.
     *
     * @param ipv4Bits the prefix length for IPv4
     */
    public static Network ofSource(InetAddress address, int ipv4Bits) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == Integer.BYTES
                ? new Network(false, ((long) bytes.getInt() << Integer.SIZE) & maskHigh(ipv4Bits), 0, ipv4Bits)
                : new Network(true, bytes.getLong(), 0, Long.SIZE);
    }

    private static IllegalArgumentException none(@Nullable UnknownHostException cause) {
        return new IllegalArgumentException(
                "expected an address or a network, such as 10.0.0.0/8 or 2001:db8::/32", cause);
    }

    /** The first 64 bits of a mask with this prefix length. */
    public static long maskHigh(int bits) {
        return bits <= 0 ? 0 : -1L << (64 - Math.min(64, bits));
    }

    /** The last 64 bits of a mask with this prefix length. */
    public static long maskLow(int bits) {
        return bits <= 64 ? 0 : -1L << (128 - bits);
    }

    /** True if the source of the datagram is in this network. */
    public boolean contains(DatagramView datagram) {
        if (datagram.isIpv6() != ipv6 || datagram.isLocal()) {
            return false;
        }
        return ipv6
                ? contains(datagram.sourceHigh(), datagram.sourceLow())
                : contains((long) datagram.sourceIpv4() << 32, 0);
    }

    /** True if the other network is entirely in this one. */
    public boolean contains(Network other) {
        return other.ipv6 == ipv6 && other.bits >= bits && contains(other.high, other.low);
    }

    private boolean contains(long otherHigh, long otherLow) {
        return ((otherHigh ^ high) & maskHigh(bits)) == 0 && ((otherLow ^ low) & maskLow(bits)) == 0;
    }

    /** The network in CIDR notation; one address without a prefix length. */
    @Override
    public String toString() {
        ByteBuffer bytes = ByteBuffer.allocate(16).putLong(high).putLong(low);
        byte[] address = new byte[ipv6 ? 16 : 4];
        bytes.flip().get(address);
        try {
            String ip = IpText.of(InetAddress.getByAddress(address));
            return bits == address.length * 8 ? ip : ip + "/" + bits;
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes is always valid", e);
        }
    }
}
