package io.millrace.app.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a destination is known, and how it knows this host, over TLS. All files are PEM, and are read when a connection is
 * prepared.
 *
 * @param caFile certificates to trust; null for those the Java runtime trusts
 * @param certificateFile this host's certificate, then those it was signed with; null for none
 * @param keyFile its private key in PKCS#8, not encrypted; null for none
 * @param verifyHostname whether the destination's certificate must be for the host it is reached by. Without that, whoever
 *     has any certificate that is trusted can take its place
 */
public record TlsSettings(
        @Nullable Path caFile,
        @Nullable Path certificateFile,
        @Nullable Path keyFile,
        boolean verifyHostname) {

    /** Trusts what the Java runtime trusts, shows no certificate, checks the name of the host. */
    public static final TlsSettings DEFAULT = new TlsSettings(null, null, null, true);

    /** Checks that a certificate has a key. */
    public TlsSettings {
        if ((certificateFile == null) != (keyFile == null)) {
            throw new IllegalArgumentException("certificate and key take a file each or none, not "
                    + (keyFile == null ? "a certificate" : "a key") + " alone");
        }
    }

    /** Trusts the certificates of a file, and nothing else. */
    public static TlsSettings trusting(Path caFile) {
        return new TlsSettings(caFile, null, null, true);
    }
}
