package io.millrace.sender.pcap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Parser of UDP datagrams in IPv4 packets and in IPv6 packets with extension headers. One object parses all packets. */
final class UdpPacket {
    enum Found {
        PAYLOAD,
        NOT_UDP,
        FRAGMENT,
        TRUNCATED
    }

    private static final int UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int IPV4_SOURCE_AT = 12;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_SOURCE_AT = 8;
    private static final int IPV6_ADDRESS = 16;

    /** Where the source address is, and its length. */
    int sourceAt;

    int sourceLength;
    int payloadAt;
    int payloadLength;

    Found parse(Packet packet) {
        ByteBuffer data = packet.data;
        data.clear().order(ByteOrder.BIG_ENDIAN);
        int at = LinkType.ipAt(packet.linkType, data, packet.captured);
        if (at == LinkType.NO_IP || at >= packet.captured) {
            return Found.NOT_UDP;
        }
        return switch (data.get(at) >>> 4 & 0xf) {
            case 4 -> ipv4(data, at, packet.captured);
            case 6 -> ipv6(data, at, packet.captured);
            default -> Found.NOT_UDP;
        };
    }

    private Found ipv4(ByteBuffer data, int at, int end) {
        int header = (data.get(at) & 0xf) * 4;
        if (header < IPV4_HEADER) {
            return Found.NOT_UDP;
        }
        if (at + IPV4_HEADER > end) {
            return Found.TRUNCATED;
        }
        if (data.get(at + 9) != UDP) {
            return Found.NOT_UDP;
        }
        // The flag "more fragments", or an offset.
        if ((data.getShort(at + 6) & 0x3fff) != 0) {
            return Found.FRAGMENT;
        }
        sourceAt = at + IPV4_SOURCE_AT;
        sourceLength = IPV4_ADDRESS;
        return udp(data, at + header, end);
    }

    private Found ipv6(ByteBuffer data, int at, int end) {
        if (at + IPV6_HEADER > end) {
            return Found.TRUNCATED;
        }
        sourceAt = at + IPV6_SOURCE_AT;
        sourceLength = IPV6_ADDRESS;
        int next = data.get(at + 6) & 0xff;
        int from = at + IPV6_HEADER;
        while (next != UDP) {
            boolean isExtension = next == 0 || next == 43 || next == 44 || next == 51 || next == 60;
            if (!isExtension) {
                return Found.NOT_UDP;
            }
            if (from + 8 > end) {
                return Found.TRUNCATED;
            }
            // A packet with a fragment header may still be complete.
            if (next == 44 && (data.getShort(from + 2) & 0xfff9) != 0) {
                return Found.FRAGMENT;
            }
            int length = data.get(from + 1) & 0xff;
            int size = next == 44 ? 8 : next == 51 ? (length + 2) * 4 : (length + 1) * 8;
            next = data.get(from) & 0xff;
            from += size;
        }
        return udp(data, from, end);
    }

    private Found udp(ByteBuffer data, int at, int end) {
        if (at + UDP_HEADER > end) {
            return Found.TRUNCATED;
        }
        int length = data.getShort(at + 4) & 0xffff;
        if (length < UDP_HEADER) {
            return Found.NOT_UDP;
        }
        if (at + length > end) {
            return Found.TRUNCATED;
        }
        payloadAt = at + UDP_HEADER;
        payloadLength = length - UDP_HEADER;
        return Found.PAYLOAD;
    }
}
