package io.millrace.internal.text;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Formats addresses in one canonical form, so that they can be searched for: IPv6 as in RFC 5952, with a numeric scope. */
public final class IpText {
    private static final int GROUPS = 8;

    private IpText() {}

    /** Formats an address and a port as commands accept them: {@code 127.0.0.1:5514}, {@code [::]:5514}. */
    public static String of(InetSocketAddress address) {
        String ip = of(address.getAddress());
        return (ip.contains(":") ? "[" + ip + "]" : ip) + ":" + address.getPort();
    }

    /** Formats an address. */
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address v6)) {
            return address.getHostAddress();
        }
        byte[] bytes = v6.getAddress();
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xff) << 8 | (bytes[2 * i + 1] & 0xff);
        }
        StringBuilder text = new StringBuilder(48);
        int zeros = longestZeros(groups);
        int end = zeros < 0 ? -1 : zeros + zerosFrom(groups, zeros);
        for (int i = 0; i < GROUPS; i++) {
            if (i == zeros) {
                text.append("::");
                i = end - 1;
            } else {
                if (i > 0 && i != end) {
                    text.append(':');
                }
                text.append(Integer.toHexString(groups[i]));
            }
        }
        if (v6.getScopeId() != 0) {
            text.append('%').append(v6.getScopeId());
        }
        return text.toString();
    }

    /** The start of the longest run of at least two zero groups, the first if several are equal; -1 if there is none. */
    private static int longestZeros(int[] groups) {
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int length = zerosFrom(groups, i);
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
        }
        return best;
    }

    private static int zerosFrom(int[] groups, int from) {
        int end = from;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end - from;
    }
}
