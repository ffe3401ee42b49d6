package io.millrace.app.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import io.millrace.app.doctor.host.Host;
import io.millrace.app.doctor.host.LocalHost;
import io.millrace.collector.Collector;
import io.millrace.collector.CollectorBuilder;
import io.millrace.collector.Endpoint;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.Threading;
import io.millrace.collector.TlsServerSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded hosts, good and bad, and the host of the test: what is found, and how bad it is. */
class DoctorTest {
    private static final int HEAP = 512 << 20;

    @TempDir
    private Path directory;

    static DoctorSettings settings(@Nullable Long rate, CollectorBuilder builder, String... addresses) {
        for (String address : addresses) {
            int colon = address.lastIndexOf(':');
            builder.listen(
                    address,
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
        }
        var collector = builder.receivers(1).threading(Threading.SHARED).build().settings();
        return new DoctorSettings(collector, 1, rate == null ? 100_000 : rate, rate != null, HEAP, null, false, false);
    }

    static CollectorBuilder builder() {
        return Collector.builder().journal(Path.of("/var/lib/millrace"));
    }

    static List<Finding> examine(DoctorSettings settings, String... trees) {
        return Doctor.examine(new RecordedHost(trees), settings);
    }

    /** Those that are not good, as {@code severity id}. */
    private static List<String> findings(@Nullable Long rate, String... trees) {
        return notGood(examine(settings(rate, builder(), ":::5514"), trees));
    }

    private static List<String> notGood(List<Finding> findings) {
        return findings.stream()
                .filter(it -> it.severity() != FindingSeverity.OK)
                .map(it -> it.severity().text() + " " + it.name())
                .toList();
    }

    private static Finding find(List<Finding> findings, Diagnosis diagnosis) {
        return findings.stream()
                .filter(it -> it.diagnosis() == diagnosis)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void wellConfiguredHostHasOnlyGoodFindings() {
        List<Finding> findings = examine(settings(100_000L, tcp(), ":::5514"), "good");
        assertThat(notGood(findings)).isEmpty();
        List<Diagnosis> looked = new ArrayList<>(List.of(Diagnosis.values()));
        looked.removeAll(
                List.of(Diagnosis.SOCKET_DROPS, Diagnosis.DATA_SPEED, Diagnosis.MISSING_TOOL, Diagnosis.CERTIFICATE));
        assertThat(findings).extracting(Finding::diagnosis).containsAll(looked);
    }

    @Test
    void smallReceiveBufferIsARiskAndALossAtAGivenRate() {
        assertThat(findings(null, "small-buffer", "good"))
                .containsExactly("loses socket-drops ([::]:5514)", "loses udp-buffer-errors", "risk receive-buffer");
        List<Finding> findings = examine(settings(100_000L, builder(), ":::5514"), "small-buffer", "good");
        Finding buffer = find(findings, Diagnosis.RECEIVE_BUFFER);
        assertThat(buffer.severity()).isEqualTo(FindingSeverity.LOSES);
        // 2 x 208 KiB of 768 bytes each are 554 datagrams, of 2304 are 184.
        assertThat(buffer.seen()).contains("granted 208 KiB", "5.5 ms of 100,000 per second", "1.8 ms");
        assertThat(buffer.remediation().now()).containsExactly("sudo sysctl -w net.core.rmem_max=67108864");
        assertThat(find(findings, Diagnosis.SOCKET_DROPS).seen()).contains("48,100 datagrams");
    }

    @Test
    void smallBacklogReportsItsDrops() {
        assertThat(findings(200_000L, "backlog", "good"))
                .containsExactly(
                        "loses softnet-drops",
                        "loses softnet-flow-limit",
                        "risk softnet-backlog",
                        "risk softnet-squeezes");
        Finding drops =
                find(examine(settings(200_000L, builder(), ":::5514"), "backlog", "good"), Diagnosis.SOFTNET_DROPS);
        assertThat(drops.seen()).startsWith("1,251 of ").contains("(CPU 2: 1,234, CPU 5: 17)");
        assertThat(drops.remediation().now()).containsExactly("sudo sysctl -w net.core.netdev_max_backlog=10000");
    }

    @Test
    void reportsSmallRingsAndASingleCpu() {
        assertThat(findings(500_000L, "nic", "good"))
                .containsExactly(
                        "loses nic-drops (ens1f0)",
                        "risk nic-ring (ens1f0)",
                        "risk nic-hash (ens1f0 udp4)",
                        "risk nic-interrupts (ens1f0)",
                        "note nic-queues (ens1f0)",
                        "note nic-numa (ens1f0)");
        List<Finding> findings = examine(settings(500_000L, builder(), ":::5514"), "nic", "good");
        assertThat(find(findings, Diagnosis.NIC_DROPS).seen())
                .contains("rx_missed_errors 918,233", "rx_no_dma_resources 871");
        assertThat(find(findings, Diagnosis.NIC_RING).remediation().now())
                .containsExactly("sudo ethtool -G ens1f0 rx 4096");
        assertThat(find(findings, Diagnosis.NIC_HASH).remediation().now())
                .containsExactly("sudo ethtool -N ens1f0 rx-flow-hash udp4 sdfn");
        assertThat(find(findings, Diagnosis.NIC_INTERRUPTS).remediation().now())
                .hasSize(4)
                .contains("echo 3 | sudo tee /proc/irq/134/smp_affinity_list");
    }

    @Test
    void reportsInterruptCoalescingLongerThanTheRing() {
        assertThat(findings(6_000_000L, "nic", "good"))
                .contains("risk nic-coalescing (ens1f0)", "risk nic-queues (ens1f0)");
    }

    @Test
    void reportsFullConnectionTableAndPortInUse() {
        assertThat(findings(null, "conntrack", "good"))
                .containsExactly(
                        "loses udp-memory-errors",
                        "loses udp-checksum-errors",
                        "loses listen-port ([::]:5514)",
                        "loses ip-reassembly",
                        "loses conntrack",
                        "note udp-no-port");
        List<Finding> findings = examine(settings(null, builder(), ":::5514"), "conntrack", "good");
        assertThat(find(findings, Diagnosis.CONNTRACK).seen())
                .contains("262,144 of 262,144 entries", "77,106 datagrams dropped", "18 entries thrown out");
        assertThat(find(findings, Diagnosis.LISTEN_PORT).seen())
                .isEqualTo("0.0.0.0:5514 is taken by rsyslogd, process 812");
        assertThat(find(findings, Diagnosis.IP_REASSEMBLY).remediation().now())
                .containsExactly(
                        "sudo sysctl -w net.ipv4.ipfrag_high_thresh=8388608",
                        "sudo sysctl -w net.ipv6.ip6frag_high_thresh=8388608");
    }

    private static CollectorBuilder tcp() {
        Endpoint endpoint = Endpoint.tcp(new InetSocketAddress("::", 5514));
        return builder().listen("tcp", endpoint, StreamSettings.DEFAULT);
    }

    private Finding certificate(int days) throws Exception {
        TestCertificate certificate = new TestCertificate(directory, "server", "DNS:example.com", -1, days);
        TlsServerSettings tls = TlsServerSettings.of(certificate.certificateFile(), certificate.keyFile());
        Endpoint endpoint = Endpoint.tls(new InetSocketAddress("::", 6514));
        CollectorBuilder builder = builder().listen("secure", endpoint, StreamSettings.DEFAULT.withTls(tls));
        return find(examine(settings(100_000L, builder, ":::5514"), "good"), Diagnosis.CERTIFICATE);
    }

    @Test
    void reportsCertificatesThatExpireSoon() throws Exception {
        assertThat(certificate(100).severity()).isEqualTo(FindingSeverity.OK);
        Finding soon = certificate(11);
        assertThat(soon.severity()).isEqualTo(FindingSeverity.RISK);
        assertThat(soon.seen()).startsWith("input secure: valid until ").endsWith(", for 9 days");
    }

    @Test
    void reportsShortQueuesOfConnections() {
        List<Finding> findings = examine(settings(100_000L, tcp(), ":::5514"), "tcp", "good");
        assertThat(notGood(findings))
                .containsExactly("risk tcp-backlog (net.core.somaxconn)", "risk tcp-memory", "note tcp-listen-drops");
        assertThat(find(findings, Diagnosis.TCP_BACKLOG).remediation().now())
                .containsExactly("sudo sysctl -w net.core.somaxconn=4096");
        assertThat(find(findings, Diagnosis.TCP_LISTEN_DROPS).seen())
                .contains("415 attempts to connect", "412 of them");
        assertThat(examine(settings(null, builder(), ":::5514"), "tcp", "good"))
                .extracting(Finding::diagnosis)
                .doesNotContain(Diagnosis.TCP_BACKLOG);
    }

    @Test
    void anotherPortIsFree() {
        List<Finding> findings = examine(settings(null, builder(), "127.0.0.1:5515"), "conntrack", "good");
        assertThat(find(findings, Diagnosis.LISTEN_PORT).severity()).isEqualTo(FindingSeverity.OK);
        assertThat(find(findings, Diagnosis.INTERFACES).seen()).isEqualTo("datagrams come in on lo");
    }

    @Test
    void reportsMemoryLimitAndUnsynchronizedClock() {
        List<Finding> findings = examine(settings(null, builder(), "0.0.0.0:514"), "container");
        assertThat(notGood(findings))
                .containsExactly(
                        "risk listen-permission (0.0.0.0:514)",
                        "risk data-file-system",
                        "risk data-inodes",
                        "risk memory-limit",
                        "risk cpu-limit",
                        "note swap",
                        "note clock",
                        "unavailable receive-buffer",
                        "unavailable udp-memory",
                        "unavailable softnet-backlog");
        assertThat(find(findings, Diagnosis.MEMORY_LIMIT).seen()).startsWith("512 MiB; the service can take 680 MiB");
        assertThat(find(findings, Diagnosis.CPU_LIMIT).seen()).contains("0.5 CPUs", "throttled 311 times");
    }

    @Test
    void missingEthtoolIsReportedOnce() {
        List<Finding> findings = examine(settings(null, builder(), ":::5514"), "no-ethtool", "good");
        assertThat(notGood(findings)).containsExactly("unavailable missing-tool (ethtool)");
        assertThat(find(findings, Diagnosis.MISSING_TOOL).seen())
                .isEqualTo("ethtool is not installed; not checked: nic-ring, nic-coalescing, nic-queues, nic-hash");
        assertThat(find(findings, Diagnosis.NIC_DROPS).source()).doesNotContain("ethtool");
    }

    @Test
    void listenAddressOfNoInterfaceIsReported() {
        List<Finding> findings = examine(settings(null, builder(), "192.0.2.10:5514", "192.0.2.99:5514"), "good");
        assertThat(notGood(findings)).containsExactly("loses interfaces (192.0.2.99)");
    }

    @Test
    void bufferRemediationNeverLowersTheLimit() {
        CollectorBuilder small = builder().receiveBuffer(256 << 10);
        Finding buffer = find(examine(settings(null, small, ":::5514"), "good"), Diagnosis.RECEIVE_BUFFER);
        assertThat(buffer.severity()).isEqualTo(FindingSeverity.RISK);
        assertThat(buffer.remediation()).isEqualTo(Remediation.advice("receive.receiveBuffer: 11M"));
    }

    @Test
    void bondIsCheckedByItsCards() {
        List<Finding> findings = examine(settings(2_000_000L, builder(), "192.0.2.20:5514"), "bond", "nic", "good");
        assertThat(find(findings, Diagnosis.INTERFACES).seen()).isEqualTo("datagrams come in on bond0");
        assertThat(notGood(findings)).contains("loses nic-drops (ens1f0)");
        assertThat(find(findings, Diagnosis.SOFTNET_BACKLOG).severity()).isEqualTo(FindingSeverity.OK);
    }

    @Test
    void configuredBufferIsChecked() {
        // Four sockets may take 4 x 2 GiB of the kernel's memory, and udp_mem allows 2.9 GiB.
        DoctorSettings four =
                settings(null, builder().receiveBuffer(1 << 30), ":::5514", ":::5515", ":::5516", ":::5517");
        DoctorSettings granted =
                new DoctorSettings(four.collector(), 1, four.rate(), false, HEAP, 1 << 30, false, false);
        assertThat(notGood(examine(granted, "good"))).containsExactly("risk udp-memory");
    }

    @Test
    void malformedFileIsUnavailable() throws IOException {
        Host host = new RecordedHost("good") {
            @Override
            public Answer read(String path) {
                return path.startsWith("/proc/") ? Answer.of("not what it was\n\n : \n") : super.read(path);
            }
        };
        List<Finding> findings = Doctor.examine(host, settings(null, builder(), ":::5514"));
        assertThat(findings).extracting(Finding::severity).doesNotContain(FindingSeverity.LOSES);
        assertThat(find(findings, Diagnosis.SOFTNET_DROPS).severity()).isEqualTo(FindingSeverity.UNAVAILABLE);
        assertThat(find(findings, Diagnosis.CLOCK).severity()).isEqualTo(FindingSeverity.OK);
    }

    @Test
    void examinesThisHostAndDeletesTheTestFile() throws IOException {
        var collector = Collector.builder()
                .listen("a", new InetSocketAddress(InetAddress.getLoopbackAddress(), 5514))
                .journal(directory.resolve("data"))
                .build()
                .settings();
        List<Finding> findings = Doctor.examine(new LocalHost(), DoctorSettings.before(collector, 0, null, true));
        assertThat(findings).extracting(Finding::diagnosis).contains(Diagnosis.RECEIVE_BUFFER, Diagnosis.DATA_SPEED);
        assertThat(findings).extracting(Finding::seen).noneMatch(it -> it.contains("form is not understood"));
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void examinationInTheServiceKnowsItsSocketsAndWritesNothing() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            var collector = Collector.builder()
                    .listen("a", (InetSocketAddress) channel.getLocalAddress())
                    .journal(directory)
                    .build()
                    .settings();
            List<Finding> findings = Doctor.examine(new LocalHost(), DoctorSettings.within(collector, 0, 64 << 20));
            assertThat(find(findings, Diagnosis.LISTEN_PORT).seen()).isEqualTo("the service uses it");
            assertThat(find(findings, Diagnosis.SOCKET_DROPS).severity()).isEqualTo(FindingSeverity.OK);
            assertThat(find(findings, Diagnosis.RECEIVE_BUFFER).severity()).isEqualTo(FindingSeverity.OK);
            assertThat(findings).extracting(Finding::diagnosis).doesNotContain(Diagnosis.DATA_SPEED);
        }
    }

    @Test
    void distinguishesMissingFailingAndHangingTools() {
        Host host = new LocalHost(Duration.ofSeconds(30));
        assertThat(host.run("millrace-no-such-tool").missing()).isTrue();
        assertThat(host.run("sh", "-c", "echo no >&2; exit 3"))
                .isEqualTo(Host.Answer.failed("sh -c echo no >&2; exit 3: no"));
        assertThat(new LocalHost(Duration.ofMillis(200)).run("sleep", "30").problem())
                .isEqualTo("sleep 30 did not end within 200 ms");
        assertThat(host.read("/nowhere/at/all").missing()).isTrue();
    }

    @Test
    void cpuMasksHave32BitWords() {
        assertThat(NicChecks.maskOfAll(2)).isEqualTo("3");
        assertThat(NicChecks.maskOfAll(32)).isEqualTo("ffffffff");
        assertThat(NicChecks.maskOfAll(72)).isEqualTo("ff,ffffffff,ffffffff");
    }
}
