package io.millrace.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.TestCertificate;
import io.millrace.collector.TlsServerSettings.AllowedPeer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PeerCertificateTest {
    /** An alternative name that is a directory name, {@code CN=x}. */
    private static final String DIRECTORY_NAME = "2.5.29.17=30:10:A4:0E:30:0C:31:0A:30:08:06:03:55:04:03:0C:01:78";

    @TempDir
    private Path directory;

    private PeerCertificate peer(String names) throws Exception {
        TestCertificate made = new TestCertificate(directory, "web1.example.com", names);
        return PeerCertificate.of(PemFiles.certificates(made.certificateFile()).get(0));
    }

    @Test
    void alternativeNamesAreTheNames() throws Exception {
        PeerCertificate peer = peer("DNS:a.example.com,IP:192.0.2.1");
        assertThat(peer.names()).containsExactly("a.example.com", "192.0.2.1");
        assertThat(peer.hostNames()).containsExactly("a.example.com");
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8::1, IP:2001:db8::1, true",
        "2001:DB8:0:0:0:0:0:1, IP:2001:db8::1, true",
        "[2001:db8::1], IP:2001:db8::1, true",
        "2001:db8::2, IP:2001:db8::1, false",
        "fe80::1, IP:fe80::1, true",
        "::1, IP:::1, true",
        "::ffff:192.0.2.1, IP:192.0.2.1, true",
        "192.0.2.1, IP:192.0.2.1, true",
        "192.0.2.10, IP:192.0.2.1, false",
        "WEB1.example.com., DNS:web1.example.com, true",
        "web1.example.com, DNS:WEB1.Example.com, true",
        "b\u00fccher.example.com, DNS:xn--bcher-kva.example.com, true",
        "*.example.com., DNS:web1.example.com, true",
        "*.b\u00fccher.example, DNS:a.xn--bcher-kva.example, true",
        "*.example.com, DNS:a.b.example.com, false",
        "*.example.com, DNS:example.com, false",
        "fass.example.com, EMAIL:fa\u00df.example.com, false",
        "*.2.1, IP:192.0.2.1, false",
        "ops@example.com, EMAIL:ops@example.com, true",
        "https://example.com/a, URI:https://example.com/a, true",
    })
    void allowedPeersAreComparedAsAddressesAndNames(String allowed, String names, boolean matches) throws Exception {
        assertThat(peer(names).is(AllowedPeer.parse(allowed))).isEqualTo(matches);
    }

    @Test
    void addressIsShownAsEverywhereElse() throws Exception {
        assertThat(peer("IP:2001:db8:0:0:0:0:0:1").name()).isEqualTo("2001:db8::1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.0/24", "2001:db8::/32"})
    void networkIsNoPeer(String network) {
        assertThatThrownBy(() -> AllowedPeer.parse(network))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no networks: policy.allow accepts '" + network + "'");
    }

    /** An authority that limits names limits alternative names: it may sign any common name beside one. */
    @Test
    void commonNameIsNoNameBesideAnAlternativeNameOfAnyKind() throws Exception {
        PeerCertificate peer = peer(DIRECTORY_NAME);
        assertThat(peer.names()).isEmpty();
        assertThat(peer.name()).isEqualTo("sha256:" + peer.fingerprint());
    }
}
