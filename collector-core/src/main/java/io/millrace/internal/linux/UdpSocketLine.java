package io.millrace.internal.linux;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket of the host: one line of {@code /proc/net/udp} or {@code udp6}. A column is parsed when it is requested.
 */
public final class UdpSocketLine {
    /** The files that list the sockets. Without IPv6 the second one does not exist. */
    public static final List<String> FILES = List.of("/proc/net/udp", "/proc/net/udp6");

    private static final int LOCAL_ADDRESS = 1;
    private static final int QUEUES = 4;
    private static final int USER = 7;
    private static final int INODE = 9;
    private static final int DROPS = 12;
    private static final int COLUMNS = 13;

    private final String[] columns;

    private UdpSocketLine(String[] columns) {
        this.columns = columns;
    }

    /** Parses the text of a file, without its header and without lines of another form. */
    public static Stream<UdpSocketLine> parse(String text) {
        return text.lines()
                .skip(1)
                .map(ProcText::words)
                .filter(words -> words.length >= COLUMNS)
                .map(UdpSocketLine::new);
    }

    /** The local port. */
    public int port() {
        String address = columns[LOCAL_ADDRESS];
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    /** The local address; null if it cannot be parsed. */
    public @Nullable InetSocketAddress address() {
        String hex = columns[LOCAL_ADDRESS].substring(0, Math.max(0, columns[LOCAL_ADDRESS].indexOf(':')));
        try {
            byte[] bytes = HexFormat.of().parseHex(hex);
            // Words of 32 bits in the host's byte order, which is little endian wherever Millrace runs.
            for (int word = 0; word + 4 <= bytes.length; word += 4) {
                for (int i = 0; i < 2; i++) {
                    byte swap = bytes[word + i];
                    bytes[word + i] = bytes[word + 3 - i];
                    bytes[word + 3 - i] = swap;
                }
            }
            return new InetSocketAddress(InetAddress.getByAddress(bytes), port());
        } catch (IllegalArgumentException | UnknownHostException malformed) {
            return null;
        }
    }

    /** The content of the receive buffer in bytes, including the kernel's overhead. */
    public long queuedBytes() {
        return Long.parseLong(columns[QUEUES].substring(columns[QUEUES].indexOf(':') + 1), 16);
    }

    /** The user id of the owner. */
    public int uid() {
        return Integer.parseInt(columns[USER]);
    }

    /** The inode, which identifies the socket. */
    public long inode() {
        return Long.parseLong(columns[INODE]);
    }

    /** Datagrams dropped because the receive buffer was full, modulo 2^32. */
    public long drops() {
        return Long.parseLong(columns[DROPS]);
    }
}
