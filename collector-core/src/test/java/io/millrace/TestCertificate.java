package io.millrace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** A key and a certificate that it signed itself, made by the JDK's keytool, as a key store and as PEM. */
public final class TestCertificate {
    private static final String PASSWORD = "secret";

    /** Key stores by name, names and validity: keytool takes half a second for one. */
    private static final Map<List<Object>, byte[]> MADE = new ConcurrentHashMap<>();

    private final KeyStore store;
    private final Path certificateFile;
    private final Path keyFile;

    /**
     * Makes one.
     *
     * @param names what it is for, such as {@code IP:127.0.0.1}
     */
    public TestCertificate(Path directory, String name, String names) throws Exception {
        this(directory, name, names, -1, 3650);
    }

    /**
     * Makes one.
     *
     * @param names what it is for, such as {@code IP:127.0.0.1}
     * @param fromDays in how many days it begins to be valid
     * @param days for how many days it is
     */
    public TestCertificate(Path directory, String name, String names, int fromDays, int days) throws Exception {
        this(directory, name, names, fromDays, days, List.of("-keyalg", "EC", "-groupname", "secp256r1"));
    }

    /** Makes one with an RSA key. */
    public static TestCertificate rsa(Path directory, String name, String names) throws Exception {
        return new TestCertificate(directory, name, names, -1, 3650, List.of("-keyalg", "RSA", "-keysize", "2048"));
    }

    private TestCertificate(Path directory, String name, String names, int fromDays, int days, List<String> key)
            throws Exception {
        byte[] made = MADE.get(List.of(name, names, fromDays, days, key));
        if (made == null) {
            made = make(directory, name, names, fromDays, days, key);
            MADE.put(List.of(name, names, fromDays, days, key), made);
        }
        store = KeyStore.getInstance("PKCS12");
        store.load(new ByteArrayInputStream(made), PASSWORD.toCharArray());
        Certificate certificate = store.getCertificate("own");
        certificateFile = pem(directory.resolve(name + ".pem"), "CERTIFICATE", certificate.getEncoded());
        keyFile = pem(
                directory.resolve(name + ".key"),
                "PRIVATE KEY",
                store.getKey("own", PASSWORD.toCharArray()).getEncoded());
    }

    private static byte[] make(Path directory, String name, String names, int fromDays, int days, List<String> key)
            throws Exception {
        Path file = directory.resolve(name + ".p12");
        Files.deleteIfExists(file);
        Path log = directory.resolve(name + ".log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-J-XX:+UseSerialGC",
                "-genkeypair",
                "-keystore",
                file.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "own",
                "-dname",
                "CN=" + name,
                "-ext",
                names.contains("=") ? names : "SAN=" + names,
                "-ext",
                "BC=ca:true",
                "-startdate",
                (fromDays < 0 ? "" : "+") + fromDays + "d",
                "-validity",
                Integer.toString(days)));
        command.addAll(key);
        Process keytool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(Files.readString(log)).isZero();
        return Files.readAllBytes(file);
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
        return context(this, trusted);
    }

    /** The context of a client without a certificate. */
    public static SSLContext client(TestCertificate trusted) throws Exception {
        return context(null, trusted);
    }

    private static SSLContext context(@Nullable TestCertificate own, TestCertificate trusted) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore none = KeyStore.getInstance("PKCS12");
        none.load(null, null);
        keys.init(own == null ? none : own.store, PASSWORD.toCharArray());
        KeyStore others = KeyStore.getInstance("PKCS12");
        others.load(null, null);
        others.setCertificateEntry("other", trusted.store.getCertificate("own"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(others);
        SSLContext context = SSLContext.getInstance("TLS");
        KeyManager[] managers = keys.getKeyManagers();
        if (own != null) {
            managers[0] = new Insistent((X509ExtendedKeyManager) managers[0]);
        }
        context.init(managers, trust.getTrustManagers(), null);
        return context;
    }

    /** A client shows the certificate also to a server that asks for one of another authority. */
    private static final class Insistent extends X509ExtendedKeyManager {
        private final X509ExtendedKeyManager keys;

        Insistent(X509ExtendedKeyManager keys) {
            this.keys = keys;
        }

        @Override
        public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
            return keys.chooseClientAlias(types, null, socket);
        }

        @Override
        public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
            return keys.chooseServerAlias(type, issuers, socket);
        }

        @Override
        public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
            return keys.chooseEngineServerAlias(type, issuers, engine);
        }

        @Override
        public String[] getClientAliases(String type, Principal[] issuers) {
            return keys.getClientAliases(type, issuers);
        }

        @Override
        public String[] getServerAliases(String type, Principal[] issuers) {
            return keys.getServerAliases(type, issuers);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return keys.getCertificateChain(alias);
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return keys.getPrivateKey(alias);
        }
    }
}
