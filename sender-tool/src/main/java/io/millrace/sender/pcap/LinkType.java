package io.millrace.sender.pcap;

import java.nio.ByteBuffer;

/** Supported link types by their numbers in capture files, and the position of the IP packet. */
final class LinkType {
    static final int NULL = 0;
    static final int ETHERNET = 1;
    static final int RAW_BSD = 12;
    static final int RAW_OPENBSD = 14;
    static final int RAW = 101;
    static final int LOOP = 108;
    static final int LINUX_SLL = 113;
    static final int IPV4 = 228;
    static final int IPV6 = 229;
    static final int LINUX_SLL2 = 276;

    static final int NO_IP = -1;

    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86dd;
    private static final int ADDRESSES = 12;

    private LinkType() {}

    static boolean isKnown(int linkType) {
        return switch (linkType) {
            case NULL, ETHERNET, RAW_BSD, RAW_OPENBSD, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2 -> true;
            default -> false;
        };
    }

    static String unknown(int linkType) {
        return "unsupported link type " + linkType
                + "; supported are Ethernet (1), Linux cooked (113, 276), raw IP (101, 12, 14,"
                + " 228, 229) and loopback (0, 108)";
    }

    /** The offset of the IP packet, or {@link #NO_IP} if there is none or the data is too short. */
    static int ipAt(int linkType, ByteBuffer data, int captured) {
        return switch (linkType) {
            case RAW_BSD, RAW_OPENBSD, RAW, IPV4, IPV6 -> 0;
            case NULL, LOOP -> captured >= 4 && isFamily(data, linkType == LOOP) ? 4 : NO_IP;
            case ETHERNET -> afterType(data, captured, ADDRESSES);
            case LINUX_SLL -> afterType(data, captured, 14);
            case LINUX_SLL2 -> captured >= 20 && isIp(unsigned(data, 0)) ? 20 : NO_IP;
            default -> NO_IP;
        };
    }

    /** Skips VLAN tags, which precede the type. */
    private static int afterType(ByteBuffer data, int captured, int typeAt) {
        int at = typeAt;
        while (at + 2 <= captured) {
            int type = unsigned(data, at);
            if (type != 0x8100 && type != 0x88a8 && type != 0x9100) {
                return isIp(type) ? at + 2 : NO_IP;
            }
            at += 4;
        }
        return NO_IP;
    }

    private static boolean isIp(int type) {
        return type == TYPE_IPV4 || type == TYPE_IPV6;
    }

    private static int unsigned(ByteBuffer data, int at) {
        return (data.get(at) & 0xff) << 8 | (data.get(at + 1) & 0xff);
    }

    /** The address family in the byte order of the capturing host. IPv6 has a different number on each system. */
    private static boolean isFamily(ByteBuffer data, boolean bigEndian) {
        int first = data.get(0) & 0xff;
        int last = data.get(3) & 0xff;
        int family = bigEndian || first == 0 ? last : first;
        return data.get(1) == 0
                && data.get(2) == 0
                && switch (family) {
                    case 2, 10, 24, 28, 30 -> true;
                    default -> false;
                };
    }
}
