package io.millrace.sender.transmit;

import io.millrace.sender.value.Quantity;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An IPv4 network that belongs to this host, such as 127.0.0.0/8. Sources use its addresses round robin.
 *
 * @param base the address of the network
 * @param bits the length of its prefix
 */
public record SourceNetwork(int base, int bits) {
    static final String TAKES =
            "accepts an IPv4 network that belongs to this host, such as 127.0.0.0/8 or 127.1.0.0/16";

    public static final SourceNetwork LOOPBACK = new SourceNetwork(127 << 24, 8);

    private static final Pattern NET = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3})/(\\d{1,2})");
    private static final int MIN_BITS = 8;
    private static final int MAX_BITS = 30;

    public static SourceNetwork parse(String text) {
        Matcher matcher = NET.matcher(text);
        if (matcher.matches()) {
            int bits = Integer.parseInt(matcher.group(2));
            try {
                int base = ByteBuffer.wrap(
                                InetAddress.getByName(matcher.group(1)).getAddress())
                        .getInt();
                if (bits >= MIN_BITS && bits <= MAX_BITS && (base & (-1 >>> bits)) == 0) {
                    return new SourceNetwork(base, bits);
                }
            } catch (UnknownHostException e) {
                // Not an address: rejected below.
            }
        }
        throw Quantity.invalid(text, TAKES);
    }

    /** The number of usable addresses: all but those of the network and of broadcasts. */
    int addresses() {
        return (-1 >>> bits) - 1;
    }

    /** The address of a source. With more sources than addresses, several sources share one, with different ports. */
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
