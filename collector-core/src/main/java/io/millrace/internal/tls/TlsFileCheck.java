package io.millrace.internal.tls;

import io.millrace.collector.TlsServerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Check of the files of TLS before they are used: whether they can be read, belong together, and are valid for a while. It finds what a
 * start finds, and what only the other end of a connection would find. One thread.
 */
public final class TlsFileCheck {
    /** A certificate that expires sooner is worth a warning. */
    public static final Duration SOON = Duration.ofDays(30);

    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    public enum Part {
        /** The certificate chain of this host. */
        CERTIFICATE,
        /** The private key of this host. */
        KEY,
        /** The certificates to trust. */
        TRUST
    }

    /**
     * What is wrong with a file.
     *
     * @param part which file it is
     * @param isError true if TLS will not work; false for a warning
     * @param text what is wrong, and what to do; it names the file
     */
    public record Finding(Part part, boolean isError, String text) {}

    /** Creates a check. */
    public TlsFileCheck() {
        this(Instant.now());
    }

    TlsFileCheck(Instant now) {
        this.now = now;
    }

    /** The findings so far. */
    public List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Checks the files of an input. */
    public TlsFileCheck server(TlsServerSettings settings) {
        own(settings.certificateFile(), settings.keyFile());
        return settings.clientCaFile() == null ? this : trusted(settings.clientCaFile());
    }

    /** Checks the files of an output; null for those it does not have. */
    public TlsFileCheck client(@Nullable Path caFile, @Nullable Path certificateFile, @Nullable Path keyFile) {
        if (caFile != null) {
            trusted(caFile);
        }
        return certificateFile == null || keyFile == null ? this : own(certificateFile, keyFile);
    }

    /** Checks a certificate chain and its private key. */
    public TlsFileCheck own(Path certificateFile, Path keyFile) {
        List<X509Certificate> chain =
                read(Part.CERTIFICATE, certificateFile, () -> PemFiles.certificates(certificateFile));
        PrivateKey key = read(Part.KEY, keyFile, () -> PemFiles.privateKey(keyFile));
        if (chain == null) {
            return this;
        }
        warnOfDer(Part.CERTIFICATE, certificateFile);
        validity(Part.CERTIFICATE, certificateFile, chain);
        if (key != null && belong(certificateFile, chain, keyFile, key)) {
            // What the JDK alone would find.
            read(Part.CERTIFICATE, certificateFile, () -> PemFiles.keys(certificateFile, keyFile));
        }
        return this;
    }

    private boolean belong(Path certificateFile, List<X509Certificate> chain, Path keyFile, PrivateKey key) {
        int before = findings.size();
        read(Part.KEY, keyFile, () -> {
            PemFiles.check(certificateFile, chain, keyFile, key);
            return key;
        });
        return findings.size() == before;
    }

    /** Checks the certificates of authorities. An expired one is a warning: the JDK ignores its dates, other programs do not. */
    public TlsFileCheck trusted(Path caFile) {
        List<X509Certificate> trusted = read(Part.TRUST, caFile, () -> PemFiles.certificates(caFile));
        if (trusted != null) {
            warnOfDer(Part.TRUST, caFile);
            validity(Part.TRUST, caFile, trusted);
        }
        return this;
    }

    /**
     * Checks the dates in a store, and that each key is that of its certificate.
     *
     * @param file where the store is from
     * @param password of the keys; null for those without one
     */
    public TlsFileCheck store(Path file, KeyStore store, char @Nullable [] password) {
        try {
            for (String alias : Collections.list(store.aliases())) {
                Certificate[] chain = store.getCertificateChain(alias);
                if (chain != null) {
                    List<X509Certificate> own = x509(chain);
                    validity(Part.CERTIFICATE, file, own);
                    if (store.getKey(alias, password) instanceof PrivateKey key) {
                        belong(file, own, file, key);
                    }
                } else if (store.getCertificate(alias) != null) {
                    validity(Part.TRUST, file, x509(store.getCertificate(alias)));
                }
            }
        } catch (GeneralSecurityException e) {
            error(Part.KEY, file + " cannot be read: " + e.getMessage());
        }
        return this;
    }

    private static List<X509Certificate> x509(Certificate... certificates) {
        List<X509Certificate> found = new ArrayList<>();
        for (Certificate certificate : certificates) {
            if (certificate instanceof X509Certificate x509) {
                found.add(x509);
            }
        }
        return found;
    }

    private void warnOfDer(Part part, Path file) {
        try {
            PemContents contents = new PemContents(file, PemFiles.read(file));
            if (contents.certificates() == null) {
                findings.add(new Finding(
                        part,
                        false,
                        file + " is a certificate in DER, and only PEM is documented: " + contents.certificateToPem()));
            }
        } catch (IOException e) {
            error(part, String.valueOf(e.getMessage()));
        }
    }

    private void validity(Part part, Path file, List<X509Certificate> certificates) {
        boolean isError = part == Part.CERTIFICATE;
        for (X509Certificate each : certificates) {
            Instant from = each.getNotBefore().toInstant();
            Instant until = each.getNotAfter().toInstant();
            String which = file + ": the certificate " + each.getSubjectX500Principal();
            if (until.isBefore(now)) {
                findings.add(new Finding(part, isError, which + " has expired at " + until + ": renew it"));
            } else if (from.isAfter(now)) {
                findings.add(new Finding(
                        part, isError, which + " is valid only from " + from + ": is the clock of this host right?"));
            } else if (until.isBefore(now.plus(SOON))) {
                findings.add(new Finding(
                        part,
                        false,
                        which + " expires in " + Duration.between(now, until).toDays() + " days, at " + until
                                + ": renew it"));
            }
        }
    }

    /** Reads something. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws IOException, GeneralSecurityException;
    }

    /** Null, with a finding, if it cannot be read. */
    private <T> @Nullable T read(Part part, Path file, Reading<T> reading) {
        try {
            return reading.read();
        } catch (IOException e) {
            error(part, String.valueOf(e.getMessage()));
        } catch (GeneralSecurityException e) {
            error(part, file + " cannot be used: " + e.getMessage());
        }
        return null;
    }

    private void error(Part part, String text) {
        findings.add(new Finding(part, true, text));
    }
}
