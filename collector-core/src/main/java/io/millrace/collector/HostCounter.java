package io.millrace.collector;

import io.millrace.internal.counters.CounterFile;
import java.util.Locale;

/**
 * The counters that the kernel keeps for the whole host or network namespace: the only definition of their names,
 * sources and meanings.
 *
 * <p>Ids are positions in the {@link CounterFile}. They are never reused and never change their meaning.
 */
public enum HostCounter {
    /** Frames for which the network interfaces had no buffer. */
    NIC(
            0,
            "nic",
            true,
            "/sys/class/net/*/statistics: rx_missed_errors, rx_fifo_errors, rx_over_errors",
            "Frames for which network interfaces had no buffer"),
    /** Packets dropped in the driver or right after it. */
    NIC_DROPPED(
            1,
            "nicDropped",
            true,
            "/sys/class/net/*/statistics: rx_dropped",
            "Packets dropped by a driver, or because no program wanted their protocol"),
    /** Packets dropped from the backlog of a CPU. */
    SOFTNET_BACKLOG(
            2,
            "softnetBacklog",
            true,
            "/proc/net/softnet_stat, column 2",
            "Packets dropped because a CPU's backlog was full"),
    /** Packets of {@link #SOFTNET_BACKLOG} that were dropped because their flow exceeded its share. */
    FLOW_LIMIT(
            3,
            "flowLimit",
            true,
            "/proc/net/softnet_stat, column 11",
            "Packets dropped from a CPU's backlog because their flow exceeded its share"),
    /** Receive rounds that ended with work left. This is not a loss. */
    SOFTNET_SQUEEZED(
            4,
            "softnetSqueezed",
            false,
            "/proc/net/softnet_stat, column 3",
            "Rounds of the kernel's receive loop that ended by their budget with work left"),
    /** Valid packets that IP dropped. */
    IP_DISCARDS(
            5,
            "ipDiscards",
            true,
            "/proc/net/snmp: Ip InDiscards; snmp6: Ip6InDiscards",
            "Packets that IP dropped because of missing memory"),
    /** Fragmented datagrams that were not complete. */
    FRAGMENTS(
            6,
            "fragments",
            true,
            "/proc/net/snmp: Ip ReasmFails; snmp6: Ip6ReasmFails",
            "Failed reassemblies of fragmented datagrams"),
    /** UDP datagrams with a wrong checksum. */
    UDP_CHECKSUM(
            7,
            "checksum",
            true,
            "/proc/net/snmp: Udp InCsumErrors; snmp6: Udp6InCsumErrors",
            "UDP datagrams with a wrong checksum"),
    /** UDP datagrams to a port without a listener. */
    UDP_NO_PORT(
            8,
            "noPort",
            true,
            "/proc/net/snmp: Udp NoPorts; snmp6: Udp6NoPorts",
            "UDP datagrams to a port without a listener"),
    /** UDP datagrams dropped because of missing memory. */
    UDP_MEMORY(
            9,
            "udpMemory",
            true,
            "/proc/net/snmp: Udp MemErrors; snmp6: Udp6MemErrors",
            "UDP datagrams dropped because the memory of UDP was used up"),
    /** UDP datagrams dropped at a full socket of the host, including Millrace's. */
    UDP_RECEIVE_BUFFER(
            10,
            "udpReceiveBuffer",
            true,
            "/proc/net/snmp: Udp RcvbufErrors; snmp6: Udp6RcvbufErrors",
            "UDP datagrams dropped at full sockets, including Millrace's"),
    /** All UDP errors together. */
    UDP_ERRORS(
            11,
            "udpErrors",
            false,
            "/proc/net/snmp: Udp InErrors; snmp6: Udp6InErrors",
            "UDP datagrams not delivered for any of these reasons except the port, or rejected by a socket filter");

    private final int id;
    private final String key;
    private final boolean loss;
    private final String source;
    private final String help;

    HostCounter(int id, String key, boolean loss, String source, String help) {
        this.id = id;
        this.key = key;
        this.loss = loss;
        this.source = source;
        this.help = help;
    }

    /** The position among the host's counters in the counter file. */
    public int id() {
        return id;
    }

    /** The name in JSON, such as {@code softnetBacklog}. */
    public String key() {
        return key;
    }

    /** The name in metrics, in dotted form without prefix, such as {@code host.softnet.backlog}. */
    public String metricName() {
        return "host." + key.replaceAll("([A-Z])", ".$1").toLowerCase(Locale.ROOT);
    }

    /** True if it counts lost datagrams that no other loss counter includes completely. */
    public boolean isLoss() {
        return loss;
    }

    /** The source in the kernel. */
    public String source() {
        return source;
    }

    /** The description in one line. */
    public String help() {
        return help;
    }
}
