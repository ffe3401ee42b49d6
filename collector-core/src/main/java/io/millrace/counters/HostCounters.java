package io.millrace.counters;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * A reading of the {@link HostCounter}s: each is an upper bound of what was ours, and they contain each other, so they are
 * shown beside the ledger and never added to it. A value that could not be read is null. Immutable.
 */
public final class HostCounters {
    private static final List<String> NIC_FILES = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    private final Map<HostCounter, Long> values;

    private HostCounters(Map<HostCounter, Long> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** A reading that holds these values; the others could not be read. */
    public static HostCounters of(Map<HostCounter, Long> values) {
        Map<HostCounter, Long> copy = new EnumMap<>(HostCounter.class);
        copy.putAll(values);
        return new HostCounters(copy);
    }

    /** Reads the counters as they are now, since the boot of the host. */
    public static HostCounters read() {
        return read(Path.of("/"));
    }

    /** Reads them from a copy of a host's {@code /proc} and {@code /sys}. */
    public static HostCounters read(Path root) {
        Map<String, Long> protocols = protocols(root.resolve("proc/net"));
        List<String> softnet = lines(root.resolve("proc/net/softnet_stat"));
        Path interfaces = root.resolve("sys/class/net");
        Map<HostCounter, Long> values = new EnumMap<>(HostCounter.class);
        for (HostCounter counter : HostCounter.values()) {
            Long value = switch (counter) {
                case NIC -> interfaces(interfaces, NIC_FILES);
                case NIC_DROPPED -> interfaces(interfaces, List.of("rx_dropped"));
                case SOFTNET_BACKLOG -> softnet(softnet, 1);
                case SOFTNET_SQUEEZED -> softnet(softnet, 2);
                case FLOW_LIMIT -> softnet(softnet, 10);
                case IP_DISCARDS -> protocols.get("Ip InDiscards");
                case FRAGMENTS -> protocols.get("Ip ReasmFails");
                case UDP_CHECKSUM -> protocols.get("Udp InCsumErrors");
                case UDP_NO_PORT -> protocols.get("Udp NoPorts");
                case UDP_MEMORY -> protocols.get("Udp MemErrors");
                case UDP_RECEIVE_BUFFER -> protocols.get("Udp RcvbufErrors");
                case UDP_ERRORS -> protocols.get("Udp InErrors");
            };
            if (value != null) {
                values.put(counter, value);
            }
        }
        return new HostCounters(values);
    }

    /** A counter's value; null if it could not be read. */
    public @Nullable Long get(HostCounter counter) {
        return values.get(counter);
    }

    /** What was added since an earlier reading; what one of the two does not have, or what started again since, is null. */
    public HostCounters since(HostCounters base) {
        Map<HostCounter, Long> added = new EnumMap<>(HostCounter.class);
        values.forEach((counter, now) -> {
            Long before = base.get(counter);
            if (before != null && now >= before) {
                added.put(counter, now - before);
            }
        });
        return new HostCounters(added);
    }

    /** Of IP and UDP: snmp (names in one line, values in the next), and added to them those of snmp6 where it is there. */
    private static Map<String, Long> protocols(Path directory) {
        Map<String, Long> sums = new HashMap<>();
        List<String> snmp = lines(directory.resolve("snmp"));
        for (int i = 0; i + 1 < snmp.size(); i += 2) {
            String protocol = protocol(snmp.get(i));
            if (protocol != null) {
                StringTokenizer names = new StringTokenizer(snmp.get(i));
                StringTokenizer values = new StringTokenizer(snmp.get(i + 1));
                while (names.hasMoreTokens() && values.hasMoreTokens()) {
                    add(sums, protocol + " " + names.nextToken(), values.nextToken());
                }
            }
        }
        for (String line : lines(directory.resolve("snmp6"))) {
            StringTokenizer words = new StringTokenizer(line);
            if (words.countTokens() == 2) {
                String name = words.nextToken();
                int six = name.indexOf('6');
                if (six > 0) {
                    add(sums, name.substring(0, six) + " " + name.substring(six + 1), words.nextToken());
                }
            }
        }
        return sums;
    }

    private static @Nullable String protocol(String line) {
        return line.startsWith("Udp: ") ? "Udp" : line.startsWith("Ip: ") ? "Ip" : null;
    }

    private static void add(Map<String, Long> sums, String name, String value) {
        try {
            sums.merge(name, Long.parseLong(value), Long::sum);
        } catch (NumberFormatException notAFigure) {
            // The kernel's own name of the line stands before the values, and what is no number is unavailable.
            return;
        }
    }

    private static @Nullable Long softnet(List<String> lines, int column) {
        if (lines.isEmpty()) {
            return null;
        }
        try {
            long sum = 0;
            for (String line : lines) {
                StringTokenizer words = new StringTokenizer(line);
                for (int i = 0; i < column; i++) {
                    words.nextToken();
                }
                sum += Long.parseLong(words.nextToken(), 16);
            }
            return sum;
        } catch (NumberFormatException | NoSuchElementException e) {
            return null;
        }
    }

    /** Without those that stand on others, as bonds, bridges and VLANs do: these count again what the others count. */
    private static @Nullable Long interfaces(Path interfaces, List<String> files) {
        Long sum = null;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(interfaces)) {
            for (Path nic : each) {
                if (!standsOnOthers(nic)) {
                    for (String file : files) {
                        List<String> lines = lines(nic.resolve("statistics").resolve(file));
                        if (!lines.isEmpty()) {
                            sum = (sum == null ? 0 : sum)
                                    + Long.parseLong(lines.get(0).trim());
                        }
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            return null;
        }
        return sum;
    }

    private static boolean standsOnOthers(Path nic) {
        try (DirectoryStream<Path> lower = Files.newDirectoryStream(nic, "lower_*")) {
            return lower.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof HostCounters that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
