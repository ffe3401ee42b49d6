package io.millrace.internal.tls;

import io.millrace.collector.TlsServerSettings.AllowedPeer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The identity of a client, from its certificate.
 *
 * @param names the DNS names, IP addresses as in RFC 5952, e-mail addresses and URIs of the subject alternative name (RFC 5280 section 4.2.1.6); the
 *     common name if the certificate has no alternative name of any kind, because a CA that limits names limits those
 * @param hostNames of these, the DNS names, and the common name: only they match {@code *.example.com} (RFC 6125 section 6.4)
 * @param fingerprint SHA-256 of the certificate, 64 hexadecimal digits
 */
public record PeerCertificate(List<String> names, List<String> hostNames, String fingerprint) {
    private static final int OTHER_NAME = 0;
    private static final int DNS_NAME = 2;
    private static final int DIRECTORY_NAME = 4;
    private static final int IP_ADDRESS = 7;
    private static final int MAX_LOGGED_NAME = 100;

    static PeerCertificate of(X509Certificate certificate) throws GeneralSecurityException {
        List<String> names = new ArrayList<>();
        List<String> hostNames = new ArrayList<>();
        Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            readAlternativeNames(alternatives, names, hostNames);
        } else {
            names = commonNames(certificate);
            hostNames = names;
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        return new PeerCertificate(
                List.copyOf(names), List.copyOf(hostNames), HexFormat.of().formatHex(digest));
    }

    private static void readAlternativeNames(
            Collection<List<?>> alternatives, List<String> names, List<String> hostNames) {
        for (List<?> name : alternatives) {
            int kind = (Integer) name.get(0);
            if (kind != OTHER_NAME && kind != DIRECTORY_NAME && name.get(1) instanceof String text) {
                names.add(kind == IP_ADDRESS ? PeerName.canonical(text) : text);
                if (kind == DNS_NAME) {
                    hostNames.add(text);
                }
            }
        }
    }

    private static List<String> commonNames(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(rdn -> rdn.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(String::valueOf)
                            .toList();
        } catch (InvalidNameException e) {
            return List.of();
        }
    }

    /** The first name, or the fingerprint if there is no name. */
    String name() {
        return names.isEmpty() ? "sha256:" + fingerprint : names.get(0);
    }

    /** For a log line: the fingerprint, and the first name without control characters. The client wrote that name, so it is truncated. */
    String description() {
        String name = name();
        StringBuilder text = new StringBuilder();
        name.substring(0, Math.min(name.length(), MAX_LOGGED_NAME))
                .codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .forEach(text::appendCodePoint);
        return text + (name.length() > MAX_LOGGED_NAME ? "…" : "") + ", SHA256:" + fingerprint;
    }

    /** True if it is one that the list means. */
    boolean is(AllowedPeer peer) {
        if (peer.isFingerprint()) {
            return peer.text().endsWith(":" + fingerprint);
        }
        if (peer.text().startsWith("*.")) {
            return hostNames.stream().anyMatch(name -> isBelow(name, peer.text().substring(1)));
        }
        return names.stream().map(PeerName::canonical).anyMatch(peer.text()::equals);
    }

    private static boolean isBelow(String hostName, String domain) {
        String name = PeerName.canonical(hostName);
        int dot = name.indexOf('.');
        return dot > 0 && name.substring(dot).equals(domain);
    }
}
