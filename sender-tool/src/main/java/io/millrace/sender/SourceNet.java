package io.millrace.sender;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;

/**
 * An IPv4 network of which every address is the host's own, such as 127.0.0.0/8, and of which each source takes one.
 *
 * @param base the network's own address
 * @param bits how long its prefix is
 */
record SourceNet(int base, int bits) {
    static final String TAKES =
            "takes an IPv4 network whose addresses are all this host's, such as 127.0.0.0/8 or 127.1.0.0/16";

    /** All of the loopback network. */
    static final SourceNet LOOPBACK = new SourceNet(127 << 24, 8);

    private static final java.util.regex.Pattern NET =
            java.util.regex.Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3})/(\\d{1,2})");
    private static final int MIN_BITS = 8;
    private static final int MAX_BITS = 30;

    static SourceNet parse(String text) {
        Matcher matcher = NET.matcher(text);
        if (matcher.matches()) {
            int bits = Integer.parseInt(matcher.group(2));
            try {
                int base = ByteBuffer.wrap(
                                InetAddress.getByName(matcher.group(1)).getAddress())
                        .getInt();
                if (bits >= MIN_BITS && bits <= MAX_BITS && (base & (-1 >>> bits)) == 0) {
                    return new SourceNet(base, bits);
                }
            } catch (UnknownHostException e) {
                // Not four bytes: refused below.
            }
        }
        throw OptionValues.refused(text, TAKES);
    }

    /** How many addresses sources can have: not the network's own, and not that of its broadcasts. */
    int addresses() {
        return (-1 >>> bits) - 1;
    }

    /** The address of a source. Where there are more sources than addresses, they begin again, with other ports. */
    InetAddress address(int source) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES)
                .putInt(base + 1 + source % addresses())
                .array();
        try {
            return Inet4Address.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // four bytes are an address
        }
    }
}
