package io.millrace.internal.tls;

import io.millrace.collector.StreamCounter;
import io.netty.handler.ssl.NotSslRecordException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** Why a connection did not become a TLS connection, with its counter and what to do about it. */
public enum TlsFailure {
    PLAIN_TEXT(
            StreamCounter.CLOSED_TLS_PLAIN_TEXT,
            "it does not speak TLS: let it send to a tcp:// input, or configure TLS there"),
    OLD_VERSION(
            StreamCounter.CLOSED_TLS_VERSION,
            "it speaks no version of TLS that is taken: configure TLS 1.2 or 1.3 there"),
    NO_CERTIFICATE(
            StreamCounter.CLOSED_TLS_NO_CERTIFICATE,
            "it shows no certificate: configure a client certificate there, or set tls.clientAuth: optional here"),
    EXPIRED(
            StreamCounter.CLOSED_TLS_EXPIRED,
            "its certificate has expired, or is not valid yet: renew it, or set the clocks"),
    UNTRUSTED(
            StreamCounter.CLOSED_TLS_UNTRUSTED,
            "its certificate is signed by nobody in tls.clientCaFile: add the certificate authority there, or let it use"
                    + " another certificate"),
    NOT_ALLOWED(StreamCounter.CLOSED_TLS_NOT_ALLOWED, "its certificate is none of tls.allowedPeers: add it there"),
    REJECTED_BY_CLIENT(
            StreamCounter.CLOSED_TLS_REJECTED,
            "it rejects this server's certificate: it has to trust who signed that, and to connect to a name in it"),
    TIMEOUT(
            StreamCounter.CLOSED_TLS_TIMEOUT,
            "it did not finish the TLS handshake in tls.handshakeTimeout: it may wait for this server to speak first, as plain"
                    + " text clients do"),
    OTHER(StreamCounter.CLOSED_TLS_FAILED, "the TLS handshake failed");

    private static final String ALERT = "Received fatal alert: ";

    /**
     * In TLS 1.3, a client that refuses the certificate may say so before it encrypts (RFC 8446 section 6), as OpenSSL does. JDK 17 takes
     * these two bytes for something encrypted.
     */
    private static final List<String> PLAIN_ALERTS =
            List.of("AEAD cipher fragment (2)", "Unexpected plaintext alert received");

    private final StreamCounter counter;
    private final String advice;

    TlsFailure(StreamCounter counter, String advice) {
        this.counter = counter;
        this.advice = advice;
    }

    /** The counter of connections that were closed for this. */
    public StreamCounter counter() {
        return counter;
    }

    /** What is wrong, and what to do, for a person. */
    String advice() {
        return advice;
    }

    /** True if a connection failed after the handshake because of {@link GuardedEngine}. */
    public static boolean isTooManyRecords(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof GuardedEngine.TooManyRecordsException) {
                return true;
            }
        }
        return false;
    }

    /** Why a handshake failed. The JDK says it in exceptions, and some of it in messages only. */
    static TlsFailure of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof NotSslRecordException) {
                return PLAIN_TEXT;
            }
            if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
                return EXPIRED;
            }
            if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
                return isExpired(cause) ? EXPIRED : UNTRUSTED;
            }
            if (cause instanceof NotAllowedException) {
                return NOT_ALLOWED;
            }
            String message = String.valueOf(cause.getMessage());
            if (PLAIN_ALERTS.stream().anyMatch(message::contains)) {
                return REJECTED_BY_CLIENT;
            }
            if (cause instanceof SSLException) {
                TlsFailure named = ofMessage(message);
                if (named != OTHER) {
                    return named;
                }
            }
        }
        return OTHER;
    }

    /** What the exception adds to the advice, in brackets; empty if nothing. */
    String detail(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = String.valueOf(root.getMessage());
        boolean adds = switch (this) {
            case OTHER, NOT_ALLOWED -> true;
            case REJECTED_BY_CLIENT -> message.contains(ALERT);
            default -> false;
        };
        String groups = message.contains("named group") ? "; it offers none of the groups in jdk.tls.namedGroups" : "";
        return adds ? " (" + message + groups + ")" : "";
    }

    private static boolean isExpired(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException
                    || cause instanceof CertificateNotYetValidException
                    || (cause instanceof CertPathValidatorException path
                            && (path.getReason() == CertPathValidatorException.BasicReason.EXPIRED
                                    || path.getReason() == CertPathValidatorException.BasicReason.NOT_YET_VALID))) {
                return true;
            }
        }
        return false;
    }

    private static TlsFailure ofMessage(String message) {
        if (message.contains(ALERT)) {
            boolean isAboutCertificate =
                    Stream.of("certificate", "unknown_ca", "access_denied").anyMatch(message::contains);
            return message.contains("protocol_version") ? OLD_VERSION : isAboutCertificate ? REJECTED_BY_CLIENT : OTHER;
        }
        if (message.contains("Empty client certificate chain")) {
            return NO_CERTIFICATE;
        }
        return message.contains("protocol version") || message.contains("Client requested protocol")
                ? OLD_VERSION
                : OTHER;
    }

    /** A certificate that is trusted, of a client that is not allowed. */
    static final class NotAllowedException extends SSLException {
        private static final long serialVersionUID = 1;

        NotAllowedException(String message) {
            super(message);
        }
    }
}
