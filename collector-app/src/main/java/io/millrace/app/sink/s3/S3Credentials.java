package io.millrace.app.sink.s3;

import io.millrace.app.secret.Secrets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key of an S3 server. Its text contains no secret.
 *
 * @param accessKey the id of the key
 * @param secretKey its secret
 * @param sessionToken the token of a temporary key; null for others
 */
record S3Credentials(
        String accessKey, String secretKey, @Nullable String sessionToken) {
    private static final String TAKES = "accessKey and secretKey go together: set both, or the environment variables"
            + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

    S3Credentials {
        check("accessKey", accessKey);
        check("secretKey", secretKey);
        check("sessionToken", sessionToken == null ? "none" : sessionToken);
    }

    /**
     * The key of the settings; without one, that of the environment variables that all clients of S3 know.
     *
     * @throws IllegalArgumentException if there is none, or only a part of one
     */
    static S3Credentials of(
            @Nullable String accessKey,
            @Nullable String secretKey,
            @Nullable String sessionToken,
            Map<String, String> environment) {
        if (accessKey == null && secretKey == null && sessionToken == null) {
            return checked(
                    hidden(environment.get("AWS_ACCESS_KEY_ID")),
                    hidden(environment.get("AWS_SECRET_ACCESS_KEY")),
                    hidden(environment.get("AWS_SESSION_TOKEN")));
        }
        return checked(accessKey, secretKey, sessionToken);
    }

    private static S3Credentials checked(
            @Nullable String accessKey, @Nullable String secretKey, @Nullable String sessionToken) {
        if (accessKey == null || secretKey == null) {
            throw new IllegalArgumentException(TAKES);
        }
        return new S3Credentials(accessKey, secretKey, sessionToken);
    }

    /** The values of settings are known as secrets already. */
    private static @Nullable String hidden(@Nullable String value) {
        if (value != null) {
            Secrets.known().add(value);
        }
        return value;
    }

    private static void check(String setting, String value) {
        if (!value.matches("[!-~]+")) {
            throw new IllegalArgumentException(
                    setting + " takes visible ASCII characters without blanks; what is given is not shown");
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
