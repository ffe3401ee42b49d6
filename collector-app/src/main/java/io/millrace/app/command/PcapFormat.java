package io.millrace.app.command;

import io.millrace.journal.DatagramView;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages as packets of a capture file (pcap with nanoseconds, raw IP): each is a UDP datagram from its source, at its receive time, to
 * an address for documentation (RFC 5737, RFC 3849), because the journal does not have the one it was sent to. One thread.
 */
final class PcapFormat implements LineFormat {
    private static final int MAGIC_OF_NANOSECONDS = 0xa1b23c4d;
    private static final short MAJOR = 2;
    private static final short MINOR = 4;
    private static final int RAW_IP = 101;
    private static final int MAX_PACKET = 65_535;
    private static final int SNAP_LENGTH = 262_144;
    private static final int PACKET_HEAD = 16;

    private static final int IPV4_HEAD = 20;
    private static final int IPV6_HEAD = 40;
    private static final int UDP_HEAD = 8;
    /** The longest payload of a UDP datagram over IPv4. */
    private static final int MAX_PAYLOAD = MAX_PACKET - IPV4_HEAD - UDP_HEAD;

    private static final int TTL = 64;
    private static final int UDP = 17;
    private static final int SYSLOG_PORT = 514;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};
    private static final byte[] TO_IPV4 = {(byte) 192, 0, 2, 1};
    private static final byte[] TO_IPV6 = {0x20, 0x01, 0x0d, (byte) 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    private final ByteBuffer head =
            ByteBuffer.allocate(PACKET_HEAD + IPV6_HEAD + UDP_HEAD).order(ByteOrder.BIG_ENDIAN);
    private long shortened;

    /** Writes the header of the file, once, before the messages. */
    void begin(LineBuffer out) {
        head.clear();
        head.putInt(MAGIC_OF_NANOSECONDS).putShort(MAJOR).putShort(MINOR);
        head.putInt(0).putInt(0).putInt(SNAP_LENGTH).putInt(RAW_IP);
        out.append(head.array(), 0, head.position());
    }

    /** Messages that were truncated to the longest datagram. */
    long shortened() {
        return shortened;
    }

    @Override
    public boolean writesBytes() {
        return true;
    }

    @Override
    public void write(LogRecord record, LineBuffer out) {
        head.clear();
        DatagramView datagram = record.datagram();
        byte[] source = datagram == null || record.isLocal()
                ? LOOPBACK
                : datagram.sourceAddress().getAddress();
        boolean isIpv4 = source.length == LOOPBACK.length;
        int length = Math.min(record.end() - record.begin(), MAX_PAYLOAD);
        if (length < record.end() - record.begin()) {
            shortened++;
        }
        int packet = (isIpv4 ? IPV4_HEAD : IPV6_HEAD) + UDP_HEAD + length;
        long time = record.receiveTimeNs();
        head.putInt((int) (time / TimeUnit.SECONDS.toNanos(1))).putInt((int) (time % TimeUnit.SECONDS.toNanos(1)));
        head.putInt(packet).putInt(packet);
        if (isIpv4) {
            ipv4(source, packet);
        } else {
            ipv6(source, packet);
        }
        udp(datagram, length);
        out.append(head.array(), 0, head.position());
        out.append(record.bytes(), record.begin(), record.begin() + length);
    }

    private void ipv4(byte[] source, int packet) {
        int begin = head.position();
        head.put((byte) 0x45).put((byte) 0).putShort((short) packet).putInt(0);
        head.put((byte) TTL).put((byte) UDP).putShort((short) 0);
        head.put(source).put(TO_IPV4);
        int sum = 0;
        for (int i = begin; i < head.position(); i += Short.BYTES) {
            sum += head.getShort(i) & 0xffff;
        }
        sum = (sum & 0xffff) + (sum >>> Short.SIZE);
        head.putShort(begin + 10, (short) ~(sum + (sum >>> Short.SIZE)));
    }

    private void ipv6(byte[] source, int packet) {
        head.putInt(6 << 28).putShort((short) (packet - IPV6_HEAD));
        head.put((byte) UDP).put((byte) TTL).put(source).put(TO_IPV6);
    }

    /** The checksum 0 means that there is none. */
    private void udp(@Nullable DatagramView datagram, int length) {
        head.putShort((short) (datagram == null ? 0 : datagram.sourcePort()));
        head.putShort((short) SYSLOG_PORT).putShort((short) (UDP_HEAD + length)).putShort((short) 0);
    }
}
