package io.millrace.output.internal.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.Settings;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Credentials for an HTTP server: user and password (RFC 7617), or a token (RFC 6750). */
public final class HttpCredentials {
    private HttpCredentials() {}

    /**
     * The value of the header {@code Authorization}; null for none.
     *
     * @param tokenSetting the setting with the token
     * @param scheme the scheme of the token, such as {@code Bearer}
     * @throws SettingException if the credentials are incomplete or cannot be sent; the message does not quote them
     */
    public static @Nullable String authorization(Settings values, Setting<String> tokenSetting, String scheme) {
        String user = values.find(HttpOptions.USER);
        String password = values.find(HttpOptions.PASSWORD);
        String token = values.find(tokenSetting);
        if ((user == null) != (password == null) || (token != null && user != null)) {
            throw new SettingException(
                    HttpOptions.USER, "and password go together, and " + tokenSetting.key() + " in their place");
        }
        if (token != null) {
            if (!token.matches("[!-~]+")) {
                throw new SettingException(
                        tokenSetting, "accepts visible ASCII characters without blanks; what is given is not shown");
            }
            return scheme + " " + token;
        }
        if (user == null || password == null) {
            return null;
        }
        if (user.contains(":")) {
            throw new SettingException(HttpOptions.USER, "accepts a name without a colon");
        }
        checkLine(user, HttpOptions.USER);
        checkLine(password, HttpOptions.PASSWORD);
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    }

    private static void checkLine(String text, Setting<String> setting) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new SettingException(
                    setting, "accepts one line without control characters; what is given is not shown");
        }
    }
}
