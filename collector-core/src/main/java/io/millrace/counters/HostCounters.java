package io.millrace.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Drops the kernel counts for the whole host (or network namespace), not for our sockets alone: each is an upper bound
 * of what was ours, and they contain each other, so they are shown beside the ledger and never added to it.
 *
 * <p>Sources: {@code /proc/net/snmp} and {@code snmp6} (RFC 4113 counters and Linux' own), {@code
 * /proc/net/softnet_stat}, {@code /sys/class/net/*}{@code /statistics}. A value that cannot be read is null.
 *
 * @param nic datagrams network interfaces missed (rx_missed, rx_fifo and rx_over errors)
 * @param softnetBacklog packets dropped from the per-CPU backlog
 * @param udpReceiveBuffer UDP datagrams dropped because a socket's buffer was full
 * @param udpMemory UDP datagrams dropped because UDP as a whole had no memory
 * @param checksum UDP datagrams with a wrong checksum
 */
public record HostCounters(
        @Nullable Long nic,
        @Nullable Long softnetBacklog,
        @Nullable Long udpReceiveBuffer,
        @Nullable Long udpMemory,
        @Nullable Long checksum) {

    private static final List<String> NIC_FILES = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    /** Reads the counters as they are now, since the boot of the host. */
    public static HostCounters read() {
        return read(Path.of("/"));
    }

    static HostCounters read(Path root) {
        List<String> snmp = lines(root.resolve("proc/net/snmp"));
        List<String> snmp6 = lines(root.resolve("proc/net/snmp6"));
        return new HostCounters(
                nicDrops(root.resolve("sys/class/net")),
                softnetDrops(root.resolve("proc/net/softnet_stat")),
                udpOrNull(snmp, snmp6, "RcvbufErrors"),
                udpOrNull(snmp, snmp6, "MemErrors"),
                udpOrNull(snmp, snmp6, "InCsumErrors"));
    }

    private static @Nullable Long udpOrNull(List<String> snmp, List<String> snmp6, String name) {
        try {
            return udp(snmp, snmp6, name);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** What was added since an earlier reading; null stays null. */
    public HostCounters since(HostCounters base) {
        return new HostCounters(
                minus(nic, base.nic),
                minus(softnetBacklog, base.softnetBacklog),
                minus(udpReceiveBuffer, base.udpReceiveBuffer),
                minus(udpMemory, base.udpMemory),
                minus(checksum, base.checksum));
    }

    private static @Nullable Long minus(@Nullable Long now, @Nullable Long base) {
        return now == null || base == null ? null : now - base;
    }

    /** The Udp line of snmp (names in one line, values in the next), plus Udp6… of snmp6 where there is one. */
    private static @Nullable Long udp(List<String> snmp, List<String> snmp6, String name) {
        Long sum = null;
        for (int i = 0; i + 1 < snmp.size(); i++) {
            if (snmp.get(i).startsWith("Udp: ") && !snmp.get(i).matches("Udp: [0-9-].*")) {
                int column = Arrays.asList(snmp.get(i).split(" +", -1)).indexOf(name);
                String[] values = snmp.get(i + 1).split(" +", -1);
                if (column > 0 && column < values.length) {
                    sum = Long.valueOf(values[column]);
                }
            }
        }
        for (String line : snmp6) {
            if (line.startsWith("Udp6" + name)) {
                sum = (sum == null ? 0 : sum)
                        + Long.parseLong(
                                line.substring(line.lastIndexOf('\t') + 1).trim());
            }
        }
        return sum;
    }

    private static @Nullable Long softnetDrops(Path file) {
        List<String> lines = lines(file);
        if (lines.isEmpty()) {
            return null;
        }
        try {
            long sum = 0;
            for (String line : lines) {
                sum += Long.parseLong(line.split(" +", -1)[1], 16);
            }
            return sum;
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return null;
        }
    }

    private static @Nullable Long nicDrops(Path interfaces) {
        Long sum = null;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(interfaces)) {
            for (Path nic : each) {
                for (String file : NIC_FILES) {
                    List<String> lines = lines(nic.resolve("statistics").resolve(file));
                    if (!lines.isEmpty()) {
                        sum = (sum == null ? 0 : sum)
                                + Long.parseLong(lines.get(0).trim());
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            return null;
        }
        return sum;
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }
}
