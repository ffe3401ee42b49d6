package io.millrace.output.s3;

import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.Settings;
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
    private static final String TAKES = "and secretKey go together: set both, or the environment variables"
            + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";

    S3Credentials {
        check(S3Settings.ACCESS_KEY, accessKey);
        check(S3Settings.SECRET_KEY, secretKey);
        check(S3Settings.SESSION_TOKEN, sessionToken == null ? "none" : sessionToken);
    }

    /**
     * The key of the settings; null if they have none.
     *
     * @throws SettingException if they have only a part of one
     */
    static @Nullable S3Credentials of(Settings values) {
        String accessKey = values.find(S3Settings.ACCESS_KEY);
        String secretKey = values.find(S3Settings.SECRET_KEY);
        String sessionToken = values.find(S3Settings.SESSION_TOKEN);
        return accessKey == null && secretKey == null && sessionToken == null
                ? null
                : of(accessKey, secretKey, sessionToken);
    }

    /**
     * The key of the environment variables that all clients of S3 know.
     *
     * @throws SettingException if there is none
     */
    static S3Credentials of(Map<String, String> environment) {
        return of(
                hidden(environment.get("AWS_ACCESS_KEY_ID")),
                hidden(environment.get("AWS_SECRET_ACCESS_KEY")),
                hidden(environment.get("AWS_SESSION_TOKEN")));
    }

    private static S3Credentials of(
            @Nullable String accessKey, @Nullable String secretKey, @Nullable String sessionToken) {
        if (accessKey == null || secretKey == null) {
            throw new SettingException(S3Settings.ACCESS_KEY, TAKES);
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

    private static void check(Setting<String> setting, String value) {
        if (!value.matches("[!-~]+")) {
            throw new SettingException(
                    setting, "accepts visible ASCII characters without blanks; what is given is not shown");
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
