package io.millrace.app.admin;

import com.sun.net.httpserver.HttpExchange;
import io.millrace.output.internal.secret.Secrets;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Queries and answers of admin HTTP. */
final class Answers {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    private Answers() {}

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> query = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw != null) {
            for (String part : raw.split("&", -1)) {
                int equals = part.indexOf('=');
                if (equals > 0) {
                    query.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)));
                }
            }
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return text;
        }
    }

    static void send(HttpExchange exchange, int code, String type, String body) throws IOException {
        // JSON is already redacted; in metrics, quoted values are redacted by their page.
        String safe = type.equals(TEXT) ? Secrets.known().redact(body) : body;
        send(exchange, code, type, safe.getBytes(StandardCharsets.UTF_8));
    }

    static void send(HttpExchange exchange, int code, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        boolean bodiless = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, bodiless || body.length == 0 ? -1 : body.length);
        if (!bodiless) {
            exchange.getResponseBody().write(body);
        }
    }
}
