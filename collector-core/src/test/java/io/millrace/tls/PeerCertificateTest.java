package io.millrace.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** An authority that limits names limits alternative names: it may sign any common name beside one. */
    @Test
    void commonNameIsNoNameBesideAnAlternativeNameOfAnyKind() throws Exception {
        PeerCertificate peer = peer(DIRECTORY_NAME);
        assertThat(peer.names()).isEmpty();
        assertThat(peer.name()).isEqualTo("sha256:" + peer.fingerprint());
    }
}
