package io.millrace.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IpTextTest {
    /** The examples of RFC 5952, sections 4 and 5, and addresses at the edges. */
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "0:0:0:0:0:0:0:1, ::1",
        "0:0:0:0:0:0:0:0, ::",
        "2001:0db8:0:0:0:0:0002:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "1:0:0:0:0:0:0:0, 1::",
        "FE80:0:0:0:1:2:3:ABCD, fe80::1:2:3:abcd",
    })
    void writesTheCanonicalForm(String address, String text) throws UnknownHostException {
        assertThat(IpText.of(InetAddress.getByName(address))).isEqualTo(text);
    }

    @Test
    void keepsTheScope() throws UnknownHostException {
        byte[] linkLocal = InetAddress.getByName("fe80::1").getAddress();
        assertThat(IpText.of(Inet6Address.getByAddress(null, linkLocal, 7))).isEqualTo("fe80::1%7");
    }
}
