package io.millrace.internal.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcParsersTest {
    private static final String HEADER = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt"
            + "   uid  timeout inode ref pointer drops\n";

    @Test
    void socketLineHasAddressQueueOwnerInodeAndDrops() {
        String table = HEADER + "  77: 0100007F:1594 00000000:0000 07 00000000:00000300 00:00000000 00000000"
                + "  1000        0 4711 2 0000000000000000 42\n";
        assertThat(UdpSocketLine.parse(table)).singleElement().satisfies(socket -> {
            assertThat(socket.address()).hasToString("/127.0.0.1:5524");
            assertThat(socket.port()).isEqualTo(5524);
            assertThat(socket.queuedBytes()).isEqualTo(0x300);
            assertThat(socket.uid()).isEqualTo(1000);
            assertThat(socket.inode()).isEqualTo(4711);
            assertThat(socket.drops()).isEqualTo(42);
        });
    }

    @Test
    void socketLineHasIpv6Address() {
        String table = HEADER + "  77: B80D0120000000000000000001000000:0202 0:0 07 0:0 00:0 0  0 0 1 2 0 0\n";
        assertThat(UdpSocketLine.parse(table))
                .singleElement()
                .satisfies(socket -> assertThat(socket.address()).hasToString("/[2001:db8:0:0:0:0:0:1]:514"));
    }

    @Test
    void otherLinesAndAddressesAreIgnored() {
        assertThat(UdpSocketLine.parse(HEADER + "\nnot what it was\n")).isEmpty();
        assertThat(UdpSocketLine.parse(HEADER + "1: xyz:0202 0:0 07 0:0 00:0 0  0 0 1 2 0 0\n"))
                .singleElement()
                .satisfies(socket -> assertThat(socket.address()).isNull());
    }

    @Test
    void oldKernelHasNoFlowLimitAndNoCpuNumber() {
        assertThat(SoftnetStat.parse("0a 01 02\n0b 03 04\n"))
                .containsExactly(new SoftnetStat(0, 10, 1, 2, null), new SoftnetStat(1, 11, 3, 4, null));
    }

    @Test
    void malformedSoftnetLineIsAnError() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SoftnetStat.parse("0a 01 02\n0b\n"))
                .withMessage("0b");
    }

    @Test
    void snmpSumsIpv4AndIpv6() {
        assertThat(NetSnmp.sums("Udp: NoPorts InErrors\nUdp: 1 many\nIcmp: InMsgs\nIcmp: 7\n", "Udp6NoPorts \t 2\n"))
                .isEqualTo(Map.of("Udp NoPorts", 3L));
    }

    @Test
    void fieldsNumbersAndListsAreParsed() {
        String status = "VmRSS:\t  1024 kB\nVmRSSX: 1\nmodel name\t: a CPU\n";
        assertThat(ProcText.number(ProcText.field(status, "VmRSS"))).isEqualTo(1024);
        assertThat(ProcText.field(status, "model name")).isEqualTo("a CPU");
        assertThat(ProcText.field(status, "Vm")).isNull();
        assertThat(ProcText.number("none")).isNull();
        assertThat(ProcText.number("")).isNull();
        assertThat(ProcText.number(" -1 of 3\n")).isEqualTo(-1);
        assertThat(ProcText.number("999999999999999999")).isEqualTo(999_999_999_999_999_999L);
        assertThat(ProcText.number("9223372036854771712")).as("no limit").isNull();
        assertThat(ProcText.words(" a\t  b \n")).containsExactly("a", "b");
        assertThat(ProcText.words(" ")).containsExactly("");
        assertThat(ProcText.oneLine(" a\n b ")).isEqualTo("a b");
        assertThat(List.of(ProcText.countOfList("0-3,8"), ProcText.countOfList("all"), ProcText.countOfList(null)))
                .containsExactly(5, 0, 0);
    }
}
