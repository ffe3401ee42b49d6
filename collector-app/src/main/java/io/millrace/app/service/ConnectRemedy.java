package io.millrace.app.service;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What to do about a destination that cannot be reached. */
final class ConnectRemedy {
    private ConnectRemedy() {}

    /** The remedy of a failure, by what caused it first; null if nothing is known. */
    static @Nullable String of(Throwable failure) {
        String found = null;
        boolean ofTls = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            ofTls |= cause instanceof SSLException;
            String remedy = remedy(cause);
            found = remedy == null ? found : remedy;
        }
        return found == null && ofTls ? "the log of the server may say more" : found;
    }

    private static @Nullable String remedy(Throwable cause) {
        if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
            return "check the spelling of the host name, and the DNS of this host";
        }
        if (cause instanceof ConnectException) {
            return "does the server run, and is this its port?";
        }
        if (cause instanceof NoRouteToHostException) {
            return "check the address, and the routes and firewalls between the two hosts";
        }
        if (cause instanceof CertificateExpiredException || cause instanceof CertificateNotYetValidException) {
            return "the server's certificate has to be renewed, or a clock to be set";
        }
        if (cause instanceof CertPathValidatorException || cause instanceof CertPathBuilderException) {
            return "nobody who is trusted has signed the server's certificate; set caFile to the certificate of who has";
        }
        if (cause instanceof CertificateException) {
            return "the server's certificate is for other names; set the host to one of them";
        }
        return ofMessage(String.valueOf(cause.getMessage()));
    }

    /** The JDK says these in messages only. */
    private static @Nullable String ofMessage(String message) {
        if (message.contains("Unsupported or unrecognized SSL message") || message.contains("plaintext connection")) {
            return "the server does not speak TLS on this port; use the port for TLS, or no TLS";
        }
        if (message.contains("Received fatal alert: protocol_version")) {
            return "the server speaks no TLS 1.2 or 1.3";
        }
        if (message.contains("Received fatal alert")) {
            return "the server refuses this host; it may want a client certificate (certificateFile, keyFile), or another one";
        }
        if (message.contains("timed out")) {
            return "check the address and the port; a firewall may drop the packets";
        }
        if (message.contains("ended with exit code")) {
            return "run it by hand, or look at what it printed";
        }
        if (message.contains("closed the connection")) {
            return "the server may want TLS on this port, or allow other clients only; its log may say more";
        }
        return null;
    }
}
