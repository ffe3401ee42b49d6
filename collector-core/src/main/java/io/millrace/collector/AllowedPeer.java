package io.millrace.collector;

import io.millrace.internal.tls.PeerName;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A client that is allowed, by a name of its certificate or by its fingerprint (RFC 5425 section 5.2).
 *
 * @param text a name in its canonical form, in which {@code *.} at the beginning stands for one label; an address as in RFC 5952; or
 *     {@code sha256:} and 64 hexadecimal digits
 */
public record AllowedPeer(String text) {
    private static final String FINGERPRINT = "sha256:";
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final Pattern NAME = Pattern.compile("(\\*\\.)?[^\\s*]+");

    /**
     * Parses a name or an address, or {@code SHA256:} and the fingerprint with or without colons.
     *
     * @throws IllegalArgumentException if it is neither; the message says what is taken
     */
    public static AllowedPeer parse(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith(FINGERPRINT)) {
            String digits = lower.substring(FINGERPRINT.length()).replace(":", "");
            if (!HEX.matcher(digits).matches()) {
                throw new IllegalArgumentException(
                        "takes 32 bytes in hexadecimal after SHA256:, as 'openssl x509 -noout"
                                + " -fingerprint -sha256' prints them, not '" + text + "'");
            }
            return new AllowedPeer(FINGERPRINT + digits);
        }
        if (!NAME.matcher(lower).matches()) {
            throw new IllegalArgumentException("takes a name such as web1.example.com, *.example.com, or SHA256: and a"
                    + " fingerprint, not '" + text + "'");
        }
        if (PeerName.network(lower) != null && PeerName.address(lower) == null) {
            throw new IllegalArgumentException(
                    "takes names and addresses as certificates have them, and no networks: policy.allow takes '" + text
                            + "'");
        }
        return new AllowedPeer(PeerName.canonical(lower));
    }

    /** True if it is a fingerprint, which says enough without a certificate authority. */
    public boolean isFingerprint() {
        return text.startsWith(FINGERPRINT);
    }
}
