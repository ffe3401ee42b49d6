package io.millrace.internal.tls;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a file of certificates or keys holds, from its first bytes and the labels of its PEM blocks. It never quotes the contents, which
 * may be secret.
 */
final class PemContents {
    private static final Pattern BLOCK = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
    private static final Pattern CERTIFICATE = Pattern.compile(
            "-----BEGIN (?:X509 |X\\.509 )?CERTIFICATE-----[^-]+-----END (?:X509 |X\\.509 )?CERTIFICATE-----");
    private static final int DER_SEQUENCE = 0x30;
    private static final int DER_INTEGER = 0x02;
    private static final byte[] JAVA_KEY_STORE = {(byte) 0xFE, (byte) 0xED, (byte) 0xFE, (byte) 0xED};

    private final Path file;
    private final byte[] bytes;
    private final String text;
    private final List<String> labels = new ArrayList<>();
    private final boolean encrypted;

    PemContents(Path file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
        this.text = new String(bytes, ISO_8859_1);
        Matcher blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            labels.add(blocks.group(1));
        }
        // RFC 1421: the header of OpenSSL's older form.
        encrypted = labels.contains("ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED");
    }

    /** The certificates alone, in PEM: a key may be in the same file. Null if the file has none in PEM. */
    byte @Nullable [] certificates() {
        StringBuilder found = new StringBuilder();
        Matcher matcher = CERTIFICATE.matcher(text);
        while (matcher.find()) {
            found.append(matcher.group()).append('\n');
        }
        return found.isEmpty() ? null : found.toString().getBytes(ISO_8859_1);
    }

    /** What is there instead of certificates, and what to do. */
    String insteadOfCertificates() {
        if (labels.contains("CERTIFICATE")) {
            return incomplete("certificate", "CERTIFICATE");
        }
        if (hasKey()) {
            return "it holds a private key; are certificate and key swapped?";
        }
        if (labels.contains("CERTIFICATE REQUEST") || labels.contains("NEW CERTIFICATE REQUEST")) {
            return "it holds a certificate request, which a certificate authority has to sign first";
        }
        if (labels.contains("TRUSTED CERTIFICATE")) {
            return "it holds a certificate in OpenSSL's own form; " + convert("openssl x509 -in ", "");
        }
        return labels.isEmpty() ? other("certificates in PEM") : "it holds " + String.join(", ", labels) + " in PEM";
    }

    /** What is there instead of a private key, and what to do. */
    String insteadOfKey() {
        if (labels.contains("PRIVATE KEY")) {
            return incomplete("private key", "PRIVATE KEY");
        }
        if (encrypted) {
            return "its private key is encrypted, and Millrace asks for no passphrase; "
                    + convert("openssl pkcs8 -topk8 -nocrypt -in ", "");
        }
        for (String label : List.of("RSA PRIVATE KEY", "EC PRIVATE KEY")) {
            if (labels.contains(label)) {
                return incomplete("private key", label);
            }
        }
        if (labels.contains("DSA PRIVATE KEY")) {
            return "it holds a key of DSA, which TLS has given up; make one with openssl genpkey -algorithm EC";
        }
        if (labels.contains("OPENSSH PRIVATE KEY")) {
            return "it holds a key of OpenSSH, which is for SSH; TLS accepts the key that belongs to the certificate";
        }
        if (hasKey()) {
            return "its private key has an unknown form; " + convert("openssl pkcs8 -topk8 -nocrypt -in ", "");
        }
        if (labels.contains("CERTIFICATE")) {
            return "it holds a certificate and no private key; are certificate and key swapped?";
        }
        return labels.isEmpty()
                ? other("a private key in PEM")
                : "it holds " + String.join(", ", labels) + " in PEM, and no private key";
    }

    private String incomplete(String what, String label) {
        String end = "-----END " + label + "-----";
        return text.contains(end)
                ? "the " + what + " in it is damaged"
                : "the " + what + " in it is cut off: there is no line " + end;
    }

    private boolean hasKey() {
        return labels.stream().anyMatch(label -> label.endsWith("PRIVATE KEY"));
    }

    /** True for a certificate in DER, which the JDK reads too. */
    boolean isDerCertificate() {
        if (!isDer()) {
            return false;
        }
        try {
            var unused = CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
            return true;
        } catch (CertificateException e) {
            return false;
        }
    }

    /** The command that makes PEM of a certificate in DER. */
    String certificateToPem() {
        return convert("openssl x509 -inform der -in ", "");
    }

    private boolean isDer() {
        return bytes.length > 4 && (bytes[0] & 0xFF) == DER_SEQUENCE;
    }

    /** What a file without PEM is. */
    private String other(String expected) {
        if (bytes.length == 0) {
            return "it is empty";
        }
        if (startsWithJavaKeyStore()) {
            return "it is a key store of Java; keytool -importkeystore makes PKCS#12 of it, and openssl pkcs12 makes PEM of that";
        }
        if (!isDer()) {
            return "it is not " + expected;
        }
        if (isDerCertificate()) {
            return "it is a certificate in DER; are certificate and key swapped?";
        }
        int first = firstInteger();
        if (first == 3) {
            return "it is PKCS#12 (.p12, .pfx); " + convert("openssl pkcs12 -nodes -in ", "");
        }
        return first >= 0
                ? "it is a private key in DER, and PEM is needed; "
                        + convert("openssl pkey -inform der -in ", ", for the setting of the key")
                : "it is DER, and not PEM; if it is an encrypted key, " + convert("openssl pkcs8 -inform der -in ", "");
    }

    private boolean startsWithJavaKeyStore() {
        for (int i = 0; i < JAVA_KEY_STORE.length; i++) {
            if (i >= bytes.length || bytes[i] != JAVA_KEY_STORE[i]) {
                return false;
            }
        }
        return true;
    }

    /** The version with which PKCS#1, PKCS#8, SEC 1 (all keys) and PKCS#12 begin; -1 if there is none. */
    private int firstInteger() {
        int lengthBytes = (bytes[1] & 0x80) == 0 ? 0 : bytes[1] & 0x7F;
        int at = 2 + lengthBytes;
        return at + 2 < bytes.length && bytes[at] == DER_INTEGER && bytes[at + 1] == 1 ? bytes[at + 2] : -1;
    }

    private String convert(String command, String what) {
        return command + file + " -out NEW makes one that can be used" + what;
    }
}
