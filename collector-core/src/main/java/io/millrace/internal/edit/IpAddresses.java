package io.millrace.internal.edit;

import java.util.Arrays;

/**
 * Finds IP addresses in text, from left to right, and rather takes too much for one than too little: {@code 1.2.3.4} may be a version.
 *
 * <ul>
 *   <li>IPv4 is four numbers up to 255, of up to three digits, with dots between. No other digit touches them, but a letter may, as in {@code
 *       \n192.0.2.5}, and a dot: {@code 192.0.2.5.514} has a port.
 *   <li>IPv6 is as in RFC 4291 section 2.2, as long as possible, and no letter or digit touches it: {@code std::dec} is none.
 * </ul>
 *
 * Reused. One thread.
 */
final class IpAddresses {
    private static final int GROUPS = 8;
    private static final int GROUP_DIGITS = 4;
    private static final int IPV4_BYTES = 4;
    private static final int UNICODE_ESCAPE = 6;
    private static final int OCTAL_ESCAPE = 4;
    private static final int IPV4_DIGITS = 3;
    private static final int IPV6_BYTES = 2 * GROUPS;
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private byte[] b = {};
    private int first;
    private int last;
    private int begin;
    private int end;
    private final byte[] address = new byte[IPV6_BYTES];
    private int addressLength;

    /** The groups of an IPv6 address as they stand, and where the double colon is. */
    private final byte[] groups = new byte[IPV6_BYTES + IPV4_BYTES];

    private final byte[] quad = new byte[IPV4_BYTES];

    /** False if there are too few dots and colons for an address. */
    static boolean mayContain(byte[] bytes, int begin, int end) {
        int dots = 0;
        int colons = 0;
        for (int i = begin; i < end; i++) {
            dots += bytes[i] == '.' ? 1 : 0;
            colons += bytes[i] == ':' ? 1 : 0;
        }
        return dots > 2 || colons > 1;
    }

    /** Starts at the beginning of a text. */
    void wrap(byte[] bytes, int from, int to) {
        b = bytes;
        first = from;
        last = to;
        end = from;
    }

    /** Moves to the next address; returns false if there is none. */
    boolean next() {
        for (int i = end; i < last; i++) {
            if (isHex(b[i]) || b[i] == ':') {
                int stop = ipv6(i);
                stop = stop < 0 ? ipv4(i) : stop;
                if (stop >= 0) {
                    begin = i;
                    end = stop;
                    return true;
                }
            }
        }
        return false;
    }

    /** The beginning of the address. */
    int begin() {
        return begin;
    }

    int end() {
        return end;
    }

    /** The bytes of the address, not a copy: that of IPv4 is the same within IPv6. */
    byte[] address() {
        return address;
    }

    /** How many bytes there are: 4 or 16. */
    int addressLength() {
        return addressLength;
    }

    /** The end of an IPv4 address that begins here; -1 if there is none. */
    private int ipv4(int from) {
        boolean isInNumber = from > first && isDigit(b[from - 1]) && !isEscapeBefore(from);
        int stop = isInNumber ? -1 : quad(from);
        if (stop >= 0) {
            System.arraycopy(quad, 0, address, 0, IPV4_BYTES);
            addressLength = IPV4_BYTES;
        }
        return stop;
    }

    /** The end of four numbers; -1 if there are not as many. */
    private int quad(int from) {
        int i = from;
        for (int n = 0; n < IPV4_BYTES; n++) {
            if (n > 0 && (i >= last || b[i++] != '.')) {
                return -1;
            }
            int digits = i;
            int value = 0;
            while (i < last && i - digits <= IPV4_DIGITS && isDigit(b[i])) {
                value = 10 * value + b[i++] - '0';
            }
            if (i == digits || i - digits > IPV4_DIGITS || value > 0xff) {
                return -1;
            }
            quad[n] = (byte) value;
        }
        return i;
    }

    /** The end of the longest IPv6 address that begins here; -1 if there is none. */
    private int ipv6(int from) {
        boolean beginsWithGap = b[from] == ':';
        if (isWordBefore(from) || (beginsWithGap && !isColonAt(from + 1))) {
            return -1;
        }
        int i = from;
        int count = 0;
        int gap = -1;
        int found = -1;
        while (true) {
            if (isColonAt(i) && isColonAt(i + 1) && gap < 0) {
                gap = count;
                i += 2;
                found = count > 0 ? accept(i, count, gap, found) : found;
            } else if (count > 0) {
                if (!isColonAt(i) || isColonAt(i + 1)) {
                    return found;
                }
                i++;
            }
            int stop = count <= GROUPS - 2 ? quad(i) : -1;
            if (stop >= 0) {
                System.arraycopy(quad, 0, groups, 2 * count, IPV4_BYTES);
                return accept(stop, count + 2, gap, found);
            }
            stop = count < GROUPS ? group(i, count) : -1;
            if (stop < 0) {
                return found;
            }
            i = stop;
            count++;
            found = accept(i, count, gap, found);
        }
    }

    /** Takes the groups so far as the address if they are one; returns its end, or else that of the last one. */
    private int accept(int stop, int count, int gap, int found) {
        boolean complete = gap < 0 ? count == GROUPS : count < GROUPS;
        if (!complete || (stop < last && isWord(b[stop]))) {
            return found;
        }
        int before = gap < 0 ? IPV6_BYTES : 2 * gap;
        int after = 2 * count - Math.min(before, 2 * count);
        Arrays.fill(address, (byte) 0);
        System.arraycopy(groups, 0, address, 0, Math.min(before, 2 * count));
        System.arraycopy(groups, 2 * count - after, address, IPV6_BYTES - after, after);
        addressLength = IPV6_BYTES;
        if (Arrays.equals(address, 0, MAPPED.length, MAPPED, 0, MAPPED.length)) {
            System.arraycopy(address, MAPPED.length, address, 0, IPV4_BYTES);
            addressLength = IPV4_BYTES;
        }
        return stop;
    }

    /** Reads a group of up to four digits; returns its end, or -1 if there is none. */
    private int group(int from, int index) {
        int i = from;
        int value = 0;
        while (i < last && i - from <= GROUP_DIGITS && isHex(b[i])) {
            value = 16 * value + Character.digit(b[i++], 16);
        }
        if (i == from || i - from > GROUP_DIGITS) {
            return -1;
        }
        groups[2 * index] = (byte) (value >> 8);
        groups[2 * index + 1] = (byte) value;
        return i;
    }

    /** True if a letter or digit is before a position, unless it is the end of an escape. */
    private boolean isWordBefore(int at) {
        return at > first && isWord(b[at - 1]) && !isEscapeBefore(at);
    }

    /** True if an escape ends at a position: of one character, of JSON with four hexadecimal digits, or {@code #011} as syslog servers write it. */
    private boolean isEscapeBefore(int at) {
        if (at - 2 >= first && b[at - 2] == '\\') {
            return true;
        }
        if (at - UNICODE_ESCAPE >= first && b[at - UNICODE_ESCAPE] == '\\' && b[at - UNICODE_ESCAPE + 1] == 'u') {
            return isHex(b[at - 4]) && isHex(b[at - 3]) && isHex(b[at - 2]) && isHex(b[at - 1]);
        }
        return at - OCTAL_ESCAPE >= first
                && b[at - OCTAL_ESCAPE] == '#'
                && isDigit(b[at - 3])
                && isDigit(b[at - 2])
                && isDigit(b[at - 1]);
    }

    private boolean isColonAt(int at) {
        return at < last && b[at] == ':';
    }

    private static boolean isHex(byte c) {
        return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }

    private static boolean isDigit(byte c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isWord(byte c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
