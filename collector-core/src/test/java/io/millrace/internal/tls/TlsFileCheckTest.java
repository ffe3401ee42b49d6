package io.millrace.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestCertificate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of TLS as people get them wrong, and what is said. */
class TlsFileCheckTest {
    @TempDir
    private Path directory;

    private TestCertificate own;

    @BeforeEach
    void make() throws Exception {
        own = new TestCertificate(directory, "server", "DNS:localhost");
    }

    private static List<String> texts(TlsFileCheck check) {
        return check.findings().stream()
                .map(finding -> (finding.isError() ? "error: " : "warning: ") + finding.text())
                .toList();
    }

    @Test
    void fileThatIsTooLargeIsNoCertificate() throws IOException {
        Path large = Files.write(directory.resolve("large.pem"), new byte[(1 << 20) + 1]);
        assertThat(own(large, own.keyFile()))
                .containsExactly("error: cannot read " + large
                        + ": it has more than 1 MiB, and certificates and keys have less");
    }

    private List<String> own(Path certificateFile, Path keyFile) {
        return texts(new TlsFileCheck().own(certificateFile, keyFile));
    }

    private Path file(String name, byte[] bytes) throws IOException {
        return Files.write(directory.resolve(name), bytes);
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static byte[] der(Path pem) throws IOException {
        return Base64.getMimeDecoder()
                .decode(Files.readString(pem)
                        .replaceAll("-----[A-Z ]+-----", "")
                        .strip());
    }

    @Test
    void goodFilesHaveNoFindings() throws Exception {
        assertThat(own(own.certificateFile(), own.keyFile())).isEmpty();
        assertThat(texts(new TlsFileCheck().trusted(own.certificateFile()))).isEmpty();
    }

    @Test
    void certificateAndKeyMayBeInOneFile() throws Exception {
        Path both = file(
                "both.pem", Files.readString(own.keyFile()) + "a remark\n" + Files.readString(own.certificateFile()));
        assertThat(own(both, both)).isEmpty();
    }

    @Test
    void saysThatAFileIsMissing() {
        Path none = directory.resolve("none.pem");
        assertThat(own(none, own.keyFile()))
                .containsExactly("error: cannot read " + none + ": the file does not exist");
        assertThat(own(own.certificateFile(), none))
                .containsExactly("error: cannot read " + none + ": the file does not exist");
    }

    @Test
    void saysThatCertificateAndKeyAreSwapped() {
        assertThat(own(own.keyFile(), own.certificateFile()))
                .containsExactly(
                        "error: " + own.keyFile()
                                + " holds no certificate: it holds a private key; are certificate and key swapped?",
                        "error: " + own.certificateFile()
                                + " holds no private key that can be used: it holds a certificate and no private key; are"
                                + " certificate and key swapped?");
    }

    @Test
    void saysThatTheKeyIsOfAnotherCertificate() throws Exception {
        TestCertificate other = new TestCertificate(directory, "other", "DNS:localhost");
        assertThat(own(own.certificateFile(), other.keyFile()))
                .containsExactly("error: " + other.keyFile() + " is not the private key of the first certificate in "
                        + own.certificateFile());
        Path reversed = file(
                "reversed.pem", Files.readString(other.certificateFile()) + Files.readString(own.certificateFile()));
        assertThat(own(reversed, own.keyFile())).singleElement().asString().contains("is number 2, and comes first");
        assertThat(own(reversed, other.keyFile()))
                .singleElement()
                .asString()
                .contains("certificate 2 (CN=server) has not signed the one before it");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ENCRYPTED PRIVATE KEY | | is encrypted, and Millrace asks for no passphrase; openssl pkcs8 -topk8 -nocrypt -in ",
                "RSA PRIVATE KEY | Proc-Type: 4,ENCRYPTED | is encrypted",
                "EC PRIVATE KEY | Proc-Type: 4,ENCRYPTED | is encrypted, and Millrace asks for no passphrase; openssl pkcs8",
                "RSA PRIVATE KEY | | is damaged",
                "EC PRIVATE KEY | | is damaged",
                "DSA PRIVATE KEY | | a key of DSA",
                "OPENSSH PRIVATE KEY | | a key of OpenSSH",
                "EC PARAMETERS | | it holds EC PARAMETERS in PEM, and no private key",
                "PRIVATE KEY | | is damaged",
            })
    void saysWhatIsThereInsteadOfAKey(String label, String header, String expected) throws Exception {
        Path key = file(
                "wrong.key",
                "-----BEGIN " + label + "-----\n" + (header == null ? "" : header + "\n\n") + "TWlsbHJhY2U=\n-----END "
                        + label + "-----\n");
        assertThat(own(own.certificateFile(), key)).singleElement().asString().contains(expected);
    }

    @Test
    void saysThatAFileIsCutOff() throws Exception {
        Path certificate = file("cut.pem", cut(own.certificateFile()));
        Path key = file("cut.key", cut(own.keyFile()));
        assertThat(own(certificate, own.keyFile()))
                .singleElement()
                .asString()
                .contains("the certificate in it is cut off: there is no line -----END CERTIFICATE-----");
        assertThat(own(own.certificateFile(), key))
                .singleElement()
                .asString()
                .contains("the private key in it is cut off: there is no line -----END PRIVATE KEY-----");
    }

    private static String cut(Path pem) throws IOException {
        String text = Files.readString(pem);
        return text.substring(0, text.length() / 2);
    }

    @Test
    void saysWhatIsThereInsteadOfPem() throws Exception {
        Path derKey = file("key.der", der(own.keyFile()));
        Path derCertificate = file("certificate.der", der(own.certificateFile()));
        Path empty = file("empty", "");
        Path text = file("text", "secret words\n");
        assertThat(own(own.certificateFile(), derKey))
                .singleElement()
                .asString()
                .contains("private key in DER, and PEM is needed; openssl pkey -inform der -in " + derKey);
        assertThat(own(own.certificateFile(), derCertificate))
                .singleElement()
                .asString()
                .contains("it is a certificate in DER; are certificate and key swapped?");
        assertThat(own(own.certificateFile(), empty)).singleElement().asString().endsWith("it is empty");
        assertThat(own(text, own.keyFile())).singleElement().asString().endsWith("it is not certificates in PEM");
        assertThat(own(own.certificateFile(), store("key.p12", "PKCS12")))
                .singleElement()
                .asString()
                .contains("it is PKCS#12 (.p12, .pfx); openssl pkcs12");
        assertThat(texts(new TlsFileCheck().trusted(store("key.jks", "JKS"))))
                .singleElement()
                .asString()
                .contains("it is a key store of Java");
        Path request = file("csr", "-----BEGIN CERTIFICATE REQUEST-----\nTWls\n-----END CERTIFICATE REQUEST-----\n");
        assertThat(own(request, own.keyFile())).singleElement().asString().contains("it holds a certificate request");
    }

    /** A certificate in DER works, so an upgrade must not refuse it. */
    @Test
    void warnsOfACertificateInDer() throws Exception {
        Path der = file("certificate.der", der(own.certificateFile()));
        assertThat(own(der, own.keyFile()))
                .containsExactly(
                        "warning: " + der + " is a certificate in DER, and only PEM is documented: openssl x509"
                                + " -inform der -in " + der + " -out NEW makes one that can be used");
    }

    private Path store(String name, String type) throws Exception {
        KeyStore store = KeyStore.getInstance(type);
        store.load(null, null);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        store.store(bytes, "password".toCharArray());
        return file(name, bytes.toByteArray());
    }

    @Test
    void saysHowLongACertificateIsValid() throws Exception {
        TestCertificate expired = new TestCertificate(directory, "expired", "DNS:localhost", -10, 5);
        TestCertificate future = new TestCertificate(directory, "future", "DNS:localhost", 5, 50);
        TestCertificate soon = new TestCertificate(directory, "soon", "DNS:localhost", -1, 22);
        assertThat(own(expired.certificateFile(), expired.keyFile()))
                .singleElement()
                .asString()
                .startsWith("error: " + expired.certificateFile() + ": the certificate CN=expired has expired at ");
        assertThat(own(future.certificateFile(), future.keyFile()))
                .singleElement()
                .asString()
                .startsWith("error: ")
                .contains("is valid only from");
        assertThat(own(soon.certificateFile(), soon.keyFile()))
                .singleElement()
                .asString()
                .startsWith("warning: ")
                .contains("expires in 20 days");
        assertThat(texts(new TlsFileCheck().trusted(expired.certificateFile())))
                .singleElement()
                .asString()
                .startsWith("warning: ");
    }
}
