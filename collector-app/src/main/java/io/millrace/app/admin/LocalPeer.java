package io.millrace.app.admin;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finder of the user at the other end of a loopback connection, from {@code /proc/net/tcp} and {@code tcp6}: the other
 * end is a socket of this host. Messages are readable for the service's user and root only, like the files of the data
 * directory.
 */
final class LocalPeer {
    private static final int COLUMN_LOCAL_ADDRESS = 1;
    private static final int COLUMN_REMOTE_ADDRESS = 2;
    private static final int COLUMN_STATE = 3;
    private static final int COLUMN_USER = 7;
    private static final int COLUMN_INODE = 9;
    private static final String ESTABLISHED = "01";
    private static final int ROOT = 0;

    private LocalPeer() {}

    /**
     * True if the peer is this process's user or root; false if it is another user or unknown.
     *
     * @param peer the other end
     * @param own this end
     */
    static boolean isOwnerOrRoot(InetSocketAddress peer, InetSocketAddress own) {
        Integer user = user(peer, own);
        return user != null && (user == ROOT || user.equals(ownUser()));
    }

    /** The effective user. /proc/self is a link, which always belongs to root. */
    private static @Nullable Integer ownUser() {
        for (String line : lines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Uid:")) {
                return Integer.valueOf(line.split("\t", -1)[2]);
            }
        }
        return null;
    }

    /** Only the established connection: a closed one of the same port has the owner 0. */
    private static @Nullable Integer user(InetSocketAddress peer, InetSocketAddress own) {
        List<String> from = texts(peer);
        List<String> to = texts(own);
        for (String file : List.of("tcp", "tcp6")) {
            for (String line : lines(Path.of("/proc/net", file))) {
                String[] columns = line.trim().split(" +", -1);
                if (columns.length > COLUMN_INODE
                        && from.contains(columns[COLUMN_LOCAL_ADDRESS])
                        && to.contains(columns[COLUMN_REMOTE_ADDRESS])
                        && columns[COLUMN_STATE].equals(ESTABLISHED)
                        && !columns[COLUMN_INODE].equals("0")) {
                    return Integer.valueOf(columns[COLUMN_USER]);
                }
            }
        }
        return null;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    /** The address as the kernel writes it: 32-bit words in the host's byte order; IPv4 directly, and mapped to IPv6. */
    private static List<String> texts(InetSocketAddress peer) {
        InetAddress address = peer.getAddress();
        String port = String.format(":%04X", peer.getPort());
        List<String> texts = new ArrayList<>();
        String words = words(address.getAddress());
        texts.add(words + port);
        if (address instanceof Inet4Address) {
            texts.add(words(new byte[8]) + words(new byte[] {0, 0, -1, -1}) + words + port);
        }
        return texts;
    }

    private static String words(byte[] bytes) {
        StringBuilder text = new StringBuilder();
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        while (buffer.remaining() >= Integer.BYTES) {
            text.append(String.format("%08X", buffer.getInt()));
        }
        return text.toString();
    }
}
