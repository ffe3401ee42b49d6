package io.millrace.output.internal.tls;

import io.millrace.internal.tls.PemFiles;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Factory of the JDK's TLS context from {@link TlsSettings}. */
public final class TlsContext {
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

    private static TrustManager[] trust(TlsSettings settings) throws IOException, GeneralSecurityException {
        TrustManager[] managers = PemFiles.trust(settings.caFile());
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
        return certificateFile == null || keyFile == null ? null : PemFiles.keys(certificateFile, keyFile);
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
