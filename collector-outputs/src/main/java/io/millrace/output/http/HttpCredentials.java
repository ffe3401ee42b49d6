package io.millrace.output.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.Settings;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Credentials for an HTTP server: user and password (RFC 7617), or a token (RFC 6750). */
final class HttpCredentials {
    private HttpCredentials() {}

    /**
     * The value of the header {@code Authorization}; null for none.
     *
     * @throws SettingException if the credentials are incomplete or cannot be sent; the message does not quote them
     */
    static @Nullable String authorization(Settings values) {
        String user = values.find(HttpSettings.USER);
        String password = values.find(HttpSettings.PASSWORD);
        String token = values.find(HttpSettings.TOKEN);
        if ((user == null) != (password == null) || (token != null && user != null)) {
            throw new SettingException(HttpSettings.USER, "and password go together, and token in their place");
        }
        if (token != null) {
            if (!token.matches("[!-~]+")) {
                throw new SettingException(
                        HttpSettings.TOKEN,
                        "takes visible ASCII characters without blanks; what is given is not shown");
            }
            return "Bearer " + token;
        }
        if (user == null || password == null) {
            return null;
        }
        if (user.contains(":")) {
            throw new SettingException(HttpSettings.USER, "takes a name without a colon");
        }
        checkLine(user, HttpSettings.USER);
        checkLine(password, HttpSettings.PASSWORD);
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(UTF_8));
    }

    private static void checkLine(String text, Setting<String> setting) {
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new SettingException(
                    setting, "takes one line without control characters; what is given is not shown");
        }
    }
}
