package io.millrace.internal.tls;

import io.millrace.internal.file.SmallFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Certificates and private keys in PEM (RFC 7468), as key and trust managers of the JDK. Messages of errors name the file. Any thread. */
public final class PemFiles {
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");
    private static final char[] NO_PASSWORD = {};
    private static final int MAX_BYTES = 1 << 20;

    private PemFiles() {}

    /**
     * Trust in the certificates of a file, or in those of the Java runtime.
     *
     * @param caFile null for those of the Java runtime
     * @throws IOException if the file cannot be read, or has no certificate
     */
    public static TrustManager[] trust(@Nullable Path caFile) throws IOException, GeneralSecurityException {
        KeyStore trusted = null;
        if (caFile != null) {
            trusted = emptyStore();
            for (Certificate certificate : certificates(caFile)) {
                trusted.setCertificateEntry("ca-" + trusted.size(), certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    /**
     * A certificate chain and its private key.
     *
     * @throws IOException if a file cannot be read or has other contents, or if the key is not that of the certificate
     */
    public static KeyManager[] keys(Path certificateFile, Path keyFile) throws IOException, GeneralSecurityException {
        List<X509Certificate> chain = certificates(certificateFile);
        PrivateKey key = privateKey(keyFile);
        check(certificateFile, chain, keyFile, key);
        KeyStore store = emptyStore();
        store.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /**
     * Checks that a key is that of a chain, and that each certificate is followed by the one that signed it.
     *
     * @throws IOException if not
     */
    static void check(Path certificateFile, List<X509Certificate> chain, Path keyFile, PrivateKey key)
            throws IOException, GeneralSecurityException {
        if (!belongTogether(chain.get(0).getPublicKey(), key)) {
            for (int i = 1; i < chain.size(); i++) {
                if (belongTogether(chain.get(i).getPublicKey(), key)) {
                    throw new IOException(certificateFile + ": the certificate of " + keyFile + " is number " + (i + 1)
                            + ", and comes first in a chain, before those that signed it");
                }
            }
            throw new IOException(keyFile + " is not the private key of the first certificate in " + certificateFile);
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw new IOException(certificateFile + ": certificate " + (i + 1) + " ("
                        + chain.get(i).getSubjectX500Principal()
                        + ") has not signed the one before it: a chain has each"
                        + " certificate before the one that signed it");
            }
        }
    }

    private static boolean belongTogether(PublicKey ofCertificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm = key.getAlgorithm();
        if (!algorithm.equals(ofCertificate.getAlgorithm())) {
            return false;
        }
        byte[] sample = {1};
        Signature signature = Signature.getInstance(
                algorithm.equals("RSA") ? "SHA256withRSA" : algorithm.equals("EC") ? "SHA256withECDSA" : algorithm);
        signature.initSign(key);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(ofCertificate);
        signature.update(sample);
        return signature.verify(signed);
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** The certificates of a file, in its order; at least one. */
    static List<X509Certificate> certificates(Path file) throws IOException {
        byte[] bytes = read(file);
        PemContents contents = new PemContents(file, bytes);
        byte[] pem = contents.certificates();
        if (pem == null && !contents.isDerCertificate()) {
            throw new IOException(file + " holds no certificate: " + contents.insteadOfCertificates());
        }
        try (InputStream in = new ByteArrayInputStream(pem == null ? bytes : pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (CertificateException e) {
            throw new IOException(file + " holds a certificate that is damaged: " + e.getMessage(), e);
        }
    }

    static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        byte[] bytes = read(file);
        byte[] found;
        try {
            found = PrivateKeyPem.pkcs8(bytes);
        } catch (IOException e) {
            throw new IOException(file + " holds " + e.getMessage(), e);
        }
        if (found == null) {
            throw new IOException(
                    file + " holds no private key that can be used: " + new PemContents(file, bytes).insteadOfKey());
        }
        PKCS8EncodedKeySpec key = new PKCS8EncodedKeySpec(found);
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(key);
            } catch (InvalidKeySpecException notOfThisAlgorithm) {
                // Tries the next algorithm.
            }
        }
        throw new IOException(file + " holds a private key that is damaged, or none of " + KEY_ALGORITHMS);
    }

    static byte[] read(Path file) throws IOException {
        try {
            byte[] bytes = SmallFile.head(file, MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new IOException("it has more than 1 MiB, and certificates and keys have less");
            }
            return bytes;
        } catch (SmallFile.NotRegularException e) {
            throw new IOException("cannot read " + file + ": it is " + e.kind() + ", and must be a regular file", e);
        } catch (NoSuchFileException e) {
            throw new IOException("cannot read " + file + ": the file does not exist", e);
        } catch (AccessDeniedException e) {
            throw new IOException(
                    "cannot read " + file + ": the user " + System.getProperty("user.name") + " has no permission", e);
        } catch (IOException e) {
            throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
