package io.millrace.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops of a socket as {@code /proc/net/udp} and {@code udp6} show them, for sockets whose descriptor cannot be asked. A
 * socket is known by its inode; the JDK does not tell the inode of a channel, so it is found right after the bind: the
 * one socket on the port that this process owns and has not claimed yet.
 */
public final class ProcNetUdp {
    /** The inode of no socket. */
    static final long UNKNOWN = 0;

    /** Answer when the kernel cannot be asked. */
    static final long UNAVAILABLE = -1;

    private static final Logger LOG = LoggerFactory.getLogger(ProcNetUdp.class);
    private static final int COLUMN_LOCAL_ADDRESS = 1;
    private static final int COLUMN_QUEUES = 4;
    private static final int COLUMN_INODE = 9;
    private static final int COLUMN_DROPS = 12;
    private static final Set<Long> CLAIMED = new HashSet<>();

    private ProcNetUdp() {}

    /** Finds and claims the inode of the socket this process has just bound, or answers {@link #UNKNOWN}. */
    public static synchronized long claimNewest(int port) {
        String suffix = String.format(":%04X", port);
        Set<Long> own = ownSockets();
        long inode = find(columns -> {
            long candidate = Long.parseLong(columns[COLUMN_INODE]);
            boolean isIt = columns[COLUMN_LOCAL_ADDRESS].endsWith(suffix)
                    && own.contains(candidate)
                    && !CLAIMED.contains(candidate);
            return isIt ? candidate : UNAVAILABLE;
        });
        if (inode <= 0) {
            LOG.warn("The drops of the socket on port {} cannot be read: it is not in /proc/net/udp or udp6", port);
            return UNKNOWN;
        }
        CLAIMED.add(inode);
        return inode;
    }

    public static synchronized void release(long inode) {
        CLAIMED.remove(inode);
    }

    /** Drops of a socket, modulo 2^32, or {@link #UNAVAILABLE}. */
    public static long drops(long inode) {
        return of(inode, columns -> Long.parseLong(columns[COLUMN_DROPS]));
    }

    /** What a socket's receive buffer holds, in bytes as the kernel counts them, or {@link #UNAVAILABLE}. */
    public static long queuedBytes(long inode) {
        return of(inode, columns -> {
            String queues = columns[COLUMN_QUEUES];
            return Long.parseLong(queues.substring(queues.indexOf(':') + 1), 16);
        });
    }

    private static long of(long inode, ToLongFunction<String[]> column) {
        if (inode == UNKNOWN) {
            return UNAVAILABLE;
        }
        String wanted = Long.toString(inode);
        return find(columns -> columns[COLUMN_INODE].equals(wanted) ? column.applyAsLong(columns) : UNAVAILABLE);
    }

    private static long find(ToLongFunction<String[]> read) {
        for (String name : new String[] {"udp", "udp6"}) {
            try {
                for (String line : Files.readAllLines(Path.of("/proc/net", name))) {
                    String[] columns = line.trim().split(" +", -1);
                    if (columns.length > COLUMN_DROPS && !columns[0].equals("sl")) {
                        long value = read.applyAsLong(columns);
                        if (value != UNAVAILABLE) {
                            return value;
                        }
                    }
                }
            } catch (IOException e) {
                LOG.debug("/proc/net/{} cannot be read", name, e);
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
            LOG.debug("/proc/self/fd cannot be read", e);
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
