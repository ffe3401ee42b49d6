package io.millrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate that it signed itself, made by the JDK's keytool, as a key store and as PEM. */
public final class TestCertificate {
    private static final String PASSWORD = "secret";

    private final KeyStore store;
    private final Path certificateFile;
    private final Path keyFile;

    /**
     * Makes one.
     *
     * @param names what it is for, such as {@code IP:127.0.0.1}
     */
    public TestCertificate(Path directory, String name, String names) throws Exception {
        Path file = directory.resolve(name + ".p12");
        Path log = directory.resolve(name + ".log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=" + names,
                        "-ext",
                        "BC=ca:true",
                        "-validity",
                        "3650")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(Files.readString(log)).isZero();
        store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        Certificate certificate = store.getCertificate("own");
        certificateFile = pem(directory.resolve(name + ".pem"), "CERTIFICATE", certificate.getEncoded());
        keyFile = pem(
                directory.resolve(name + ".key"),
                "PRIVATE KEY",
                store.getKey("own", PASSWORD.toCharArray()).getEncoded());
    }

    private static Path pem(Path file, String type, byte[] bytes) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            out.write(("-----BEGIN " + type + "-----\n").getBytes(UTF_8));
            out.write(Base64.getMimeEncoder(64, new byte[] {'\n'}).encode(bytes));
            out.write(("\n-----END " + type + "-----\n").getBytes(UTF_8));
        }
        return file;
    }

    public Path certificateFile() {
        return certificateFile;
    }

    public Path keyFile() {
        return keyFile;
    }

    /** The context of a server with this certificate that trusts another. */
    public SSLContext server(TestCertificate trusted) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        KeyStore others = KeyStore.getInstance("PKCS12");
        others.load(null, null);
        others.setCertificateEntry("other", trusted.store.getCertificate("own"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(others);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
