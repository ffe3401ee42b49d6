package io.millrace.collector;

import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.SoftnetStat;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values of the {@link HostCounter}s at one time. Each value is an upper bound of what concerned Millrace, and some of
 * them include others. So they are shown beside the ledger and never added to it. A value that could not be read is null.
 * Immutable.
 */
public final class HostCounters {
    private static final List<String> NIC_FILES = List.of("rx_missed_errors", "rx_fifo_errors", "rx_over_errors");

    private final Map<HostCounter, Long> values;

    private HostCounters(Map<HostCounter, Long> values) {
        this.values = Collections.unmodifiableMap(values);
    }

    /** Creates an object with these values; the others could not be read. */
    public static HostCounters of(Map<HostCounter, Long> values) {
        Map<HostCounter, Long> copy = new EnumMap<>(HostCounter.class);
        copy.putAll(values);
        return new HostCounters(copy);
    }

    /** Reads the current values, counted since the boot of the host. */
    public static HostCounters read() {
        return read(Path.of("/"));
    }

    /** Reads the values from a copy of a host's {@code /proc} and {@code /sys}. */
    public static HostCounters read(Path root) {
        Path net = root.resolve("proc/net");
        Map<String, Long> protocols = NetSnmp.sums(text(net.resolve("snmp")), text(net.resolve("snmp6")));
        List<SoftnetStat> softnet = softnet(text(net.resolve("softnet_stat")));
        Path interfaces = root.resolve("sys/class/net");
        Map<HostCounter, Long> values = new EnumMap<>(HostCounter.class);
        for (HostCounter counter : HostCounter.values()) {
            Long value = switch (counter) {
                case NIC -> interfaces(interfaces, NIC_FILES);
                case NIC_DROPPED -> interfaces(interfaces, List.of("rx_dropped"));
                case SOFTNET_BACKLOG -> sum(softnet, SoftnetStat::drops);
                case SOFTNET_SQUEEZED -> sum(softnet, SoftnetStat::squeezes);
                case FLOW_LIMIT -> sum(softnet, SoftnetStat::flowLimit);
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

    /** The value of a counter; null if unavailable. */
    public @Nullable Long get(HostCounter counter) {
        return values.get(counter);
    }

    /** The difference to earlier values; null if one of the two is unavailable, or if the counter was reset in between. */
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

    private static List<SoftnetStat> softnet(String text) {
        try {
            return SoftnetStat.parse(text);
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static @Nullable Long sum(List<SoftnetStat> lines, Function<SoftnetStat, @Nullable Long> column) {
        Long sum = null;
        for (SoftnetStat line : lines) {
            Long value = column.apply(line);
            if (value == null) {
                return null;
            }
            sum = (sum == null ? 0 : sum) + value;
        }
        return sum;
    }

    /** Sums files of all interfaces but bonds, bridges and VLANs: these count packets of the interfaces below them again. */
    private static @Nullable Long interfaces(Path interfaces, List<String> files) {
        Long sum = null;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(interfaces)) {
            for (Path nic : each) {
                if (!isUpper(nic)) {
                    for (String file : files) {
                        String value = text(nic.resolve("statistics").resolve(file));
                        if (!value.isEmpty()) {
                            sum = (sum == null ? 0 : sum) + Long.parseLong(value);
                        }
                    }
                }
            }
        } catch (IOException | NumberFormatException e) {
            return null;
        }
        return sum;
    }

    private static boolean isUpper(Path nic) {
        // Not with a glob, which becomes a regular expression each time.
        try (DirectoryStream<Path> lower = Files.newDirectoryStream(
                nic, each -> each.getFileName().toString().startsWith("lower_"))) {
            return lower.iterator().hasNext();
        } catch (IOException e) {
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return ProcFile.text(file);
        } catch (IOException e) {
            return "";
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
