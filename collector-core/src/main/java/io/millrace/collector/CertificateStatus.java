package io.millrace.collector;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of an input's server certificate.
 *
 * @param input the name of the input
 * @param expires when the certificate in use expires; may have passed
 * @param problem what is wrong with its files, or with the certificate in use; null if nothing is
 */
public record CertificateStatus(
        String input, Instant expires, @Nullable String problem) {
    /** A certificate that expires within this time should be renewed. */
    public static final Duration SOON = Duration.ofDays(21);

    /** True if it expires within {@link #SOON}, or has expired. */
    public boolean expiresSoon(Instant now) {
        return Duration.between(now, expires).compareTo(SOON) <= 0;
    }
}
