package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.internal.record.TestDatagram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "10.1.2.3, 10.1.2.3",
        "10.1.2.3/32, 10.1.2.3",
        "0.0.0.0/0, 0.0.0.0/0",
        "255.255.255.255, 255.255.255.255",
        "2001:DB8::/32, 2001:db8::/32",
        "2001:db8:0:0:0:0:0:1, 2001:db8::1",
        "2001:db8::8000:0:0:0/65, 2001:db8:0:0:8000::/65",
        "::/0, ::/0",
        "::ffff:10.0.0.0/104, 10.0.0.0/8",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::ffff:0:0/96, 0.0.0.0/0",
    })
    void networksAreWrittenInCanonicalForm(String text, String written) {
        assertThat(Network.parse(text)).hasToString(written).isEqualTo(Network.parse(written));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/+8",
                "10.0.0/8",
                "10",
                "256.0.0.1",
                "example.com",
                "2001:db8::/129",
                "2001:db8:::/32",
                "fe80::1%eth0",
                "::ffff:10.0.0.0/95",
                "[::1]",
                "10.0.0.0/8/8",
                "1:2:3:4:5:6:7:8:9",
                "10.0.0.0/99999999999",
                " 10.0.0.1",
            })
    void invalidNetworkIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Network.parse(text))
                .withMessage("expected an address or a network, such as 10.0.0.0/8 or 2001:db8::/32");
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, 8, 10.0.0.0/8",
        "10.0.0.1/31, 31, 10.0.0.0/31",
        "1.2.3.4/0, 0, 0.0.0.0/0",
        "2001:db8::1/32, 32, 2001:db8::/32",
        "2001:db8::1:0/120, 120, ",
        "2001:db8::ff/121, 121, 2001:db8::80/121",
        "::ffff:10.1.0.0/104, 8, 10.0.0.0/8",
    })
    void bitsAfterThePrefixAreRejectedWithTheCorrectNetwork(String text, int bits, String right) {
        if (right == null) {
            assertThat(Network.parse(text).bits()).isEqualTo(bits);
            return;
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Network.parse(text))
                .withMessage("bits are set behind the first " + bits + ": the network is " + right);
    }

    @Test
    void containsItsAddressesAndNetworks() {
        Network network = Network.parse("10.0.0.0/8");
        assertThat(network.contains(Network.parse("10.200.0.0/16"))).isTrue();
        assertThat(network.contains(network)).isTrue();
        assertThat(network.contains(Network.parse("0.0.0.0/0"))).isFalse();
        assertThat(network.contains(Network.parse("11.0.0.0"))).isFalse();
        assertThat(Network.parse("::/0").contains(network)).isFalse();
        assertThat(Network.parse("2001:db8::/65").contains(Network.parse("2001:db8::1")))
                .isTrue();
        assertThat(Network.parse("2001:db8::/65").contains(Network.parse("2001:db8:0:0:8000::1")))
                .isFalse();
        assertThat(network.contains(TestDatagram.of("x")
                        .from(new byte[] {10, 1, 2, 3}, 0, 1)
                        .view()))
                .isTrue();
        assertThat(network.contains(TestDatagram.of("x")
                        .from(new byte[] {-10, 1, 2, 3}, 0, 1)
                        .view()))
                .isFalse();
    }
}
