package io.millrace.app.sink;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** By what an HTTP server knows who sends. Its text does not tell the secret. */
public final class HttpCredentials {
    private final String scheme;
    private final String secret;

    private HttpCredentials(String scheme, String secret) {
        this.scheme = scheme;
        this.secret = secret;
    }

    /** User and password, RFC 7617. */
    public static HttpCredentials basic(String user, String password) {
        if (user.contains(":")) {
            throw new IllegalArgumentException("user takes a name without a colon, not '" + user + "'");
        }
        return new HttpCredentials(
                "Basic", Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
    }

    /** A token, RFC 6750. */
    public static HttpCredentials bearer(String token) {
        return new HttpCredentials("Bearer", token);
    }

    /** What stands in the header {@code Authorization}. */
    String header() {
        return scheme + " " + secret;
    }

    @Override
    public String toString() {
        return scheme + " ***";
    }
}
