package io.millrace.internal.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reader of a socket's drops in {@code /proc/net/udp} and {@code udp6}, for sockets whose file descriptor is not
 * accessible. The inode identifies the socket. The JDK does not return the inode of a channel, so it is searched right
 * after the bind: the one socket on the port that this process owns and has not claimed yet.
 */
public final class ProcNetUdp {
    /** The inode of an unknown socket. */
    static final long UNKNOWN = 0;

    /** The result if a value cannot be read. */
    static final long UNAVAILABLE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ProcNetUdp.class);
    private static final Set<Long> CLAIMED = new HashSet<>();

    private ProcNetUdp() {}

    /**
     * Finds and claims the inode of the socket that this process has just bound; {@link #UNKNOWN} if it is not found.
     */
    public static synchronized long claimNewest(int port) {
        Set<Long> own = ownSockets();
        long inode = find(
                socket -> socket.port() == port && own.contains(socket.inode()) && !CLAIMED.contains(socket.inode()),
                UdpSocketLine::inode);
        if (inode <= 0) {
            LOG.warn("Cannot read the drops of the socket on port {}: it is not in /proc/net/udp or udp6", port);
            return UNKNOWN;
        }
        CLAIMED.add(inode);
        return inode;
    }

    /** Releases an inode, because its socket is closed. */
    public static synchronized void release(long inode) {
        CLAIMED.remove(inode);
    }

    /** The drops of a socket, modulo 2^32; {@link #UNAVAILABLE} if they cannot be read. */
    public static long drops(long inode) {
        return inode == UNKNOWN ? UNAVAILABLE : find(socket -> socket.inode() == inode, UdpSocketLine::drops);
    }

    /** The content of a socket's receive buffer in bytes as the kernel counts them, or {@link #UNAVAILABLE}. */
    public static long queuedBytes(long inode) {
        return inode == UNKNOWN ? UNAVAILABLE : find(socket -> socket.inode() == inode, UdpSocketLine::queuedBytes);
    }

    private static long find(Predicate<UdpSocketLine> wanted, ToLongFunction<UdpSocketLine> column) {
        for (String file : UdpSocketLine.FILES) {
            try {
                Optional<UdpSocketLine> found = UdpSocketLine.parse(ProcFile.text(Path.of(file)))
                        .filter(wanted)
                        .findFirst();
                if (found.isPresent()) {
                    return column.applyAsLong(found.get());
                }
            } catch (IOException e) {
                LOG.debug("Cannot read {}", file, e);
            }
        }
        return UNAVAILABLE;
    }

    private static Set<Long> ownSockets() {
        Set<Long> inodes = new HashSet<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                String target = readLink(descriptor);
                if (target.startsWith("socket:[")) {
                    inodes.add(Long.parseLong(target.substring("socket:[".length(), target.length() - 1)));
                }
            }
        } catch (IOException e) {
            LOG.debug("Cannot read /proc/self/fd", e);
        }
        return inodes;
    }

    private static String readLink(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
