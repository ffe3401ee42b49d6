package io.millrace.app.doctor.host;

import io.millrace.app.doctor.host.Host.Answer;
import io.millrace.record.IpText;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The UDP sockets of the host, from {@code /proc/net/udp} and {@code udp6}.
 *
 * @param all every socket
 * @param problem why there are none to see; null if they can be seen
 */
public record UdpSockets(List<Socket> all, @Nullable String problem) {
    public static final String SOURCE = "/proc/net/udp, /proc/net/udp6";

    /** A socket. */
    public record Socket(InetSocketAddress address, int uid, long inode, long drops) {
        /** Would the kernel refuse one of the two, because of the other. */
        boolean meets(InetSocketAddress other) {
            InetAddress mine = address.getAddress();
            InetAddress theirs = other.getAddress();
            if (address.getPort() != other.getPort()) {
                return false;
            }
            if (mine.getClass() == theirs.getClass()) {
                return mine.isAnyLocalAddress() || theirs.isAnyLocalAddress() || mine.equals(theirs);
            }
            // A socket on [::] takes IPv4 too, unless it was told not to, which cannot be seen from outside.
            boolean sixIsMine = mine.getAddress().length == 16;
            return (sixIsMine ? mine : theirs).isAnyLocalAddress();
        }

        public String text() {
            return IpText.of(address);
        }
    }

    public static UdpSockets of(Host host) {
        List<Socket> sockets = new ArrayList<>();
        String problem = null;
        int read = 0;
        for (String path : List.of("/proc/net/udp", "/proc/net/udp6")) {
            Answer answer = host.read(path);
            if (answer.text() != null) {
                read++;
                answer.text().lines().skip(1).forEach(line -> {
                    Socket socket = socket(ProcText.words(line));
                    if (socket != null) {
                        sockets.add(socket);
                    }
                });
            } else {
                problem = answer.problem();
            }
        }
        // Without IPv6 there is no udp6, and nothing is wrong.
        return new UdpSockets(List.copyOf(sockets), read == 0 ? problem : null);
    }

    /** The sockets on an address that is to be listened on. */
    public List<Socket> on(InetSocketAddress address) {
        return address.getPort() == 0
                ? List.of()
                : all.stream().filter(it -> it.meets(address)).toList();
    }

    private static @Nullable Socket socket(String[] columns) {
        if (columns.length < 13) {
            return null;
        }
        try {
            String[] local = columns[1].split(":", -1);
            return new Socket(
                    new InetSocketAddress(address(local[0]), Integer.parseInt(local[1], 16)),
                    Integer.parseInt(columns[7]),
                    Long.parseLong(columns[9]),
                    Long.parseLong(columns[12]));
        } catch (IllegalArgumentException | UnknownHostException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }

    /** Words of 32 bits in the order of the host, which is the small end first on all that Millrace runs on. */
    private static InetAddress address(String hex) throws UnknownHostException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        for (int word = 0; word + 4 <= bytes.length; word += 4) {
            for (int i = 0; i < 2; i++) {
                byte swap = bytes[word + i];
                bytes[word + i] = bytes[word + 3 - i];
                bytes[word + 3 - i] = swap;
            }
        }
        return InetAddress.getByAddress(bytes);
    }
}
