package io.millrace.app.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Factory of the JDK's TLS context from {@link TlsSettings}. */
public final class TlsContext {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");
    private static final char[] NO_PASSWORD = {};

    private TlsContext() {}

    /**
     * Loads the files.
     *
     * @throws IOException if a file cannot be read or has other contents; the message names it
     */
    public static SSLContext of(TlsSettings settings) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys(settings), trust(settings), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("TLS cannot be set up: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trust(TlsSettings settings) throws IOException, GeneralSecurityException {
        Path file = settings.caFile();
        KeyStore trusted = null;
        if (file != null) {
            trusted = emptyStore();
            for (Certificate certificate : certificates(file)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        TrustManager[] managers = factory.getTrustManagers();
        for (int i = 0; i < managers.length; i++) {
            if (!settings.verifyHostname() && managers[i] instanceof X509TrustManager manager) {
                managers[i] = new AnyHost(manager);
            }
        }
        return managers;
    }

    private static KeyManager @Nullable [] keys(TlsSettings settings) throws IOException, GeneralSecurityException {
        Path certificateFile = settings.certificateFile();
        Path keyFile = settings.keyFile();
        if (certificateFile == null || keyFile == null) {
            return null;
        }
        KeyStore store = emptyStore();
        store.setKeyEntry(
                "own",
                privateKey(keyFile),
                NO_PASSWORD,
                certificates(certificateFile).toArray(new Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (CertificateException e) {
            throw new IOException(file + " is not a file of certificates in PEM: " + e.getMessage(), e);
        }
        throw new IOException(file + " holds no certificate");
    }

    private static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        Matcher matcher = KEY.matcher(Files.readString(file, US_ASCII));
        if (!matcher.find()) {
            throw new IOException(file + " holds no private key in PKCS#8 that is not encrypted ('BEGIN PRIVATE KEY');"
                    + " openssl pkcs8 -topk8 -nocrypt makes one");
        }
        PKCS8EncodedKeySpec key =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(1)));
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(key);
            } catch (InvalidKeySpecException notOfThisAlgorithm) {
                // Tries the next algorithm.
            }
        }
        throw new IOException(file + " holds a private key that is none of " + KEY_ALGORITHMS);
    }

    /** Trust manager that does not verify host names: only the methods with a connection would do that. */
    private static final class AnyHost extends X509ExtendedTrustManager {
        private final X509TrustManager chain;

        AnyHost(X509TrustManager chain) {
            this.chain = chain;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] certificates, String type) throws CertificateException {
            chain.checkServerTrusted(certificates, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] certificates, String type, Socket socket)
                throws CertificateException {
            chain.checkServerTrusted(certificates, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] certificates, String type, SSLEngine engine)
                throws CertificateException {
            chain.checkServerTrusted(certificates, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] certificates, String type) throws CertificateException {
            chain.checkClientTrusted(certificates, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] certificates, String type, Socket socket)
                throws CertificateException {
            chain.checkClientTrusted(certificates, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] certificates, String type, SSLEngine engine)
                throws CertificateException {
            chain.checkClientTrusted(certificates, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return chain.getAcceptedIssuers();
        }
    }
}
