package io.millrace.app.sink.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** Credentials for an HTTP server. Their text contains no secret. */
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
            throw new IllegalArgumentException("user takes a name without a colon");
        }
        check(user, "user");
        check(password, "password");
        return new HttpCredentials(
                "Basic", Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8)));
    }

    /** A token, RFC 6750. */
    public static HttpCredentials bearer(String token) {
        if (!token.matches("[!-~]+")) {
            throw new IllegalArgumentException(
                    "token takes visible ASCII characters without blanks; what is given is not shown");
        }
        return new HttpCredentials("Bearer", token);
    }

    private static void check(String text, String setting) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    setting + " takes one line without control characters; what is given is not shown");
        }
    }

    /** The value of the header {@code Authorization}. */
    String header() {
        return scheme + " " + secret;
    }

    @Override
    public String toString() {
        return scheme + " ***";
    }
}
