package io.millrace.app.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.millrace.app.config.AdminSettings;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Access control of admin HTTP. Immutable. */
final class AdminGuard {
    private static final String BEARER = "Bearer ";
    /** Names of this host, or an address: DNS of other sites cannot resolve to these. */
    private static final Pattern LOCAL_HOST =
            Pattern.compile("(localhost|\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-fA-F:.]+])(:\\d+)?");

    private final byte @Nullable [] token;
    private final boolean local;

    AdminGuard(AdminSettings settings) {
        String text = settings.token();
        this.token = text == null ? null : text.getBytes(StandardCharsets.UTF_8);
        this.local = settings.isLocal();
    }

    boolean wantsToken() {
        return token != null;
    }

    /**
     * The reason for rejecting a request; null if it is accepted.
     *
     * @param open true if the resource needs no token
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
            return open || right
                    ? null
                    : "this requires the header 'Authorization: Bearer TOKEN', with the admin.token";
        }
        String host = headers.getFirst("Host");
        // Protects against DNS rebinding: a page of another site must not read logs through a browser.
        return !local || host == null || LOCAL_HOST.matcher(host).matches()
                ? null
                : "there is no host '" + host.replaceAll("[^A-Za-z0-9.:_-]", "?")
                        + "' here: use localhost or an address, or set an admin.token";
    }

    /** The security headers of every response: no content of other hosts, no frames, no caching. */
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
