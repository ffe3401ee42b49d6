package io.millrace.app.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.config.AdminSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Who may ask. Immutable. */
final class AdminGuard {
    private static final String BEARER = "Bearer ";
    /** Names of this host alone, or an address: no name of the net can be made to lead here. */
    private static final Pattern LOCAL_HOST =
            Pattern.compile("(localhost|\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-fA-F:.]+])(:\\d+)?");

    private final byte @Nullable [] token;
    private final boolean local;

    AdminGuard(AdminSettings settings) {
        String text = settings.token();
        this.token = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        this.local = settings.isLocal();
    }

    /** True if requests have to show a token. */
    boolean wantsToken() {
        return token != null;
    }

    /**
     * Why a request is refused; null if it is not.
     *
     * @param open whether it is for what needs no token
     */
    @Nullable
    String refusal(HttpExchange exchange, boolean open) {
        Headers headers = exchange.getRequestHeaders();
        if (token != null) {
            String given = headers.getFirst("Authorization");
            boolean right = given != null
                    && given.startsWith(BEARER)
                    && MessageDigest.isEqual(
                            token, given.substring(BEARER.length()).getBytes(StandardCharsets.UTF_8));
            return open || right ? null : "this takes the header 'Authorization: Bearer TOKEN', with the admin.token";
        }
        String host = headers.getFirst("Host");
        // A page of another site, whose name was made to lead to this host, must not read logs in somebody's browser.
        return !local || host == null || LOCAL_HOST.matcher(host).matches()
                ? null
                : "there is no host '" + host.replaceAll("[^A-Za-z0-9.:_-]", "?")
                        + "' here: ask for localhost or an address, or set an admin.token";
    }

    /** What every answer says to browsers: nothing from elsewhere, in no frame, nothing kept. */
    static void headers(HttpExchange exchange) {
        Headers headers = exchange.getResponseHeaders();
        headers.set(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
                        + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cache-Control", "no-store");
    }
}
