package io.millrace.output.internal.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The TLS settings of a client. All files are PEM, and are read when a connection is prepared.
 *
 * @param caFile the trusted certificates; null for those of the Java runtime
 * @param certificateFile this host's certificate chain; null for none
 * @param keyFile the private key, not encrypted, in PKCS#8, PKCS#1 or the form of SEC 1; null for none
 * @param verifyHostname whether the host name is verified. Without it, any holder of a trusted certificate can
 *     impersonate the destination
 */
public record TlsSettings(
        @Nullable Path caFile,
        @Nullable Path certificateFile,
        @Nullable Path keyFile,
        boolean verifyHostname) {

    /** The defaults: trusts the certificates of the Java runtime, has no certificate, verifies the host name. */
    public static final TlsSettings DEFAULT = new TlsSettings(null, null, null, true);

    /** Checks that a certificate has a key. */
    public TlsSettings {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new IllegalArgumentException("certificate and key take a file each or none, not "
                    + (keyFile == null ? "a certificate" : "a key") + " alone");
        }
    }

    /** Trusts only the certificates of a file. */
    public static TlsSettings trusting(Path caFile) {
        return new TlsSettings(caFile, null, null, true);
    }
}
