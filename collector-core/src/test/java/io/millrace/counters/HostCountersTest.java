package io.millrace.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against files as Linux has them, in a root of the test's own. */
class HostCountersTest {
    private static final String SNMP = """
            Icmp: InMsgs InErrors
            Icmp: 5 6
            Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
            Udp: 1000 20 33 900 30 1 3 4 2
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors
            UdpLite: 9 9 9 9 9 9 9 9 9
            """;
    private static final String SNMP6 = """
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
            000f4240 00000010 00000005 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000001
            """;

    @TempDir
    Path root;

    @Test
    void sumsOfIpv4AndIpv6AndOfAllProcessorsAndInterfaces() throws IOException {
        write("proc/net/snmp", SNMP);
        write("proc/net/snmp6", SNMP6);
        write("proc/net/softnet_stat", SOFTNET);
        write("sys/class/net/eth0/statistics/rx_missed_errors", "100\n");
        write("sys/class/net/eth0/statistics/rx_fifo_errors", "20\n");
        write("sys/class/net/eth0/statistics/rx_over_errors", "3\n");
        write("sys/class/net/eth0/statistics/rx_dropped", "9999\n");
        write("sys/class/net/lo/statistics/rx_missed_errors", "0\n");
        write("sys/class/net/bonding_masters", "\n");
        assertThat(HostCounters.read(root)).isEqualTo(new HostCounters(123L, 26L, 330L, 52L, 43L));
    }

    @Test
    void whatCannotBeReadIsNull() {
        assertThat(HostCounters.read(root)).isEqualTo(new HostCounters(null, null, null, null, null));
    }

    @Test
    void hostWithoutIpv6HasTheFiguresOfIpv4() throws IOException {
        write("proc/net/snmp", SNMP);
        assertThat(HostCounters.read(root)).isEqualTo(new HostCounters(null, null, 30L, 2L, 3L));
    }

    @Test
    void oldKernelWithoutAColumnHasTheOthers() throws IOException {
        write("proc/net/snmp", "Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors\nUdp: 1 2 3 4 5\n");
        assertThat(HostCounters.read(root)).isEqualTo(new HostCounters(null, null, 5L, null, null));
    }

    @Test
    void interfacesWithoutStatisticsAreUnavailable() throws IOException {
        Files.createDirectories(root.resolve("sys/class/net/eth0"));
        assertThat(HostCounters.read(root).nic()).isNull();
    }

    @Test
    void contentsThatMakeNoSenseAreUnavailable() throws IOException {
        write("proc/net/snmp", "Udp: RcvbufErrors MemErrors\nUdp: many few\n");
        write("proc/net/snmp6", "Udp6InCsumErrors\n");
        write("proc/net/softnet_stat", "\n");
        write("sys/class/net/eth0/statistics/rx_missed_errors", "none\n");
        assertThat(HostCounters.read(root)).isEqualTo(new HostCounters(null, null, null, null, null));
    }

    @Test
    void differenceOfAFigureThatWasOrIsUnavailableIsUnavailable() {
        HostCounters base = new HostCounters(1L, 2L, null, 4L, 5L);
        HostCounters now = new HostCounters(11L, null, 30L, 4L, 50L);
        assertThat(now.since(base)).isEqualTo(new HostCounters(10L, null, null, 0L, 45L));
    }

    @Test
    void thisHostCanBeRead() {
        HostCounters now = HostCounters.read();
        assertThat(HostCounters.read().since(now).nic())
                .satisfiesAnyOf(
                        nic -> assertThat(nic).isNull(), nic -> assertThat(nic).isNotNegative());
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
