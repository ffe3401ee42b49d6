package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against files as Linux has them, in a root of the test's own. */
class HostCountersTest {
    private static final String SNMP = """
            Ip: Forwarding InDiscards InDelivers ReasmFails
            Ip: 1 7 1000 8
            Icmp: InMsgs InErrors
            Icmp: 5 6
            Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
            Udp: 1000 20 33 900 30 1 3 4 2
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
            UdpLite: 9 9 9 9 9 9 9 9 9
            """;
    private static final String SNMP6 = """
            Ip6InDiscards                   \t70
            Ip6ReasmFails                   \t80
            Udp6InDatagrams                 \t500
            Udp6InErrors                    \t60
            Udp6RcvbufErrors                \t300
            Udp6SndbufErrors                \t7
            Udp6InCsumErrors                \t40
            Udp6MemErrors                   \t50
            UdpLite6RcvbufErrors            \t9
            UdpLite6InCsumErrors            \t9
            UdpLite6MemErrors               \t9
            """;
    private static final String SOFTNET = """
            000f4240 0000000a 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000
            000f4240 00000010 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000004 00000000 00000001
            """;

    @TempDir
    Path root;

    @Test
    void sumsIpFamiliesCpusAndInterfaces() throws IOException {
        write("proc/net/snmp", SNMP);
        write("proc/net/snmp6", SNMP6);
        write("proc/net/softnet_stat", SOFTNET);
        write("sys/class/net/eth0/statistics/rx_missed_errors", "100\n");
        write("sys/class/net/eth0/statistics/rx_fifo_errors", "20\n");
        write("sys/class/net/eth0/statistics/rx_over_errors", "3\n");
        write("sys/class/net/eth0/statistics/rx_dropped", "9999\n");
        write("sys/class/net/bond0/lower_eth0/ifindex", "2\n");
        write("sys/class/net/bond0/statistics/rx_missed_errors", "100\n");
        write("sys/class/net/bond0/statistics/rx_dropped", "9999\n");
        write("sys/class/net/lo/statistics/rx_missed_errors", "0\n");
        write("sys/class/net/bonding_masters", "\n");
        assertThat(HostCounters.read(root))
                .isEqualTo(HostCounters.of(Map.ofEntries(
                        Map.entry(HostCounter.NIC, 123L),
                        Map.entry(HostCounter.NIC_DROPPED, 9999L),
                        Map.entry(HostCounter.SOFTNET_BACKLOG, 26L),
                        Map.entry(HostCounter.SOFTNET_SQUEEZED, 10L),
                        Map.entry(HostCounter.FLOW_LIMIT, 4L),
                        Map.entry(HostCounter.IP_DISCARDS, 7L + 70),
                        Map.entry(HostCounter.FRAGMENTS, 8L + 80),
                        Map.entry(HostCounter.UDP_CHECKSUM, 43L),
                        Map.entry(HostCounter.UDP_NO_PORT, 20L),
                        Map.entry(HostCounter.UDP_MEMORY, 52L),
                        Map.entry(HostCounter.UDP_RECEIVE_BUFFER, 330L),
                        Map.entry(HostCounter.UDP_ERRORS, 93L))));
    }

    @Test
    void unreadableValuesAreNull() {
        assertThat(HostCounters.read(root)).isEqualTo(HostCounters.of(Map.of()));
    }

    @Test
    void hostWithoutIpv6HasTheCountersOfIpv4() throws IOException {
        write("proc/net/snmp", SNMP);
        HostCounters host = HostCounters.read(root);
        assertThat(host.get(HostCounter.UDP_RECEIVE_BUFFER)).isEqualTo(30);
        assertThat(host.get(HostCounter.UDP_MEMORY)).isEqualTo(2);
        assertThat(host.get(HostCounter.UDP_CHECKSUM)).isEqualTo(3);
        assertThat(host.get(HostCounter.NIC)).isNull();
    }

    @Test
    void missingColumnDoesNotAffectOthers() throws IOException {
        write("proc/net/snmp", "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: 1 2 3 4 5\n");
        HostCounters host = HostCounters.read(root);
        assertThat(host.get(HostCounter.UDP_RECEIVE_BUFFER)).isEqualTo(5);
        assertThat(host.get(HostCounter.UDP_MEMORY)).isNull();
    }

    @Test
    void interfacesWithoutStatisticsAreUnavailable() throws IOException {
        Files.createDirectories(root.resolve("sys/class/net/eth0"));
        assertThat(HostCounters.read(root).get(HostCounter.NIC)).isNull();
    }

    @Test
    void malformedContentIsUnavailable() throws IOException {
        write("proc/net/snmp", "Udp: RcvbufErrors MemErrors\nUdp: many few\n");
        write("proc/net/snmp6", "Udp6InCsumErrors\n");
        write("proc/net/softnet_stat", "\n");
        write("sys/class/net/eth0/statistics/rx_missed_errors", "none\n");
        assertThat(HostCounters.read(root)).isEqualTo(HostCounters.of(Map.of()));
    }

    @Test
    void differenceToAnUnavailableValueIsUnavailable() {
        HostCounters base = HostCounters.of(Map.of(HostCounter.NIC, 1L, HostCounter.FRAGMENTS, 2L));
        HostCounters now = HostCounters.of(Map.of(HostCounter.NIC, 11L, HostCounter.UDP_MEMORY, 30L));
        assertThat(now.since(base)).isEqualTo(HostCounters.of(Map.of(HostCounter.NIC, 10L)));
    }

    @Test
    void readsThisHost() {
        HostCounters now = HostCounters.read();
        assertThat(HostCounters.read().since(now).get(HostCounter.NIC))
                .satisfiesAnyOf(
                        nic -> assertThat(nic).isNull(), nic -> assertThat(nic).isNotNegative());
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
