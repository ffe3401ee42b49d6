package io.millrace.filter;

import io.millrace.record.DatagramView;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses that begin with the same bits: {@code 10.0.0.0/8}, {@code 2001:db8::/32}, or one address. */
final class Network {
    /** What {@link InetAddress#getByName} does not look up as a name. */
    private static final Pattern IPV4 =
            Pattern.compile("(25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");

    private final byte[] address;
    private final int bits;

    private Network(byte[] address, int bits) {
        this.address = address;
        this.bits = bits;
    }

    /**
     * Reads a network; no name is looked up.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Network parse(String text) {
        int slash = text.indexOf('/');
        String ip = slash < 0 ? text : text.substring(0, slash);
        boolean literal = ip.contains(":")
                ? ip.matches("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")
                : IPV4.matcher(ip).matches();
        if (!literal) {
            throw new IllegalArgumentException(text);
        }
        try {
            byte[] address = InetAddress.getByName(ip).getAddress();
            int bits = slash < 0 ? address.length * 8 : Integer.parseInt(text.substring(slash + 1));
            if (bits < 0 || bits > address.length * 8) {
                throw new IllegalArgumentException(text);
            }
            return new Network(address, bits);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** True if the datagram came from here. */
    boolean contains(DatagramView datagram) {
        if (datagram.isIpv6() != (address.length == 16)) {
            return false;
        }
        for (int bit = 0; bit < bits; bit += 8) {
            int mask = bits - bit >= 8 ? 0xff : 0xff << (8 - (bits - bit));
            if (((datagram.sourceByte(bit >> 3) ^ address[bit >> 3]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }
}
