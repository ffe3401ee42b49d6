package io.millrace.app.admin;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;

/** What comes after the headers of a request. Admin HTTP needs none of it, and reads it so that it does no harm. */
final class RequestBody {
    static final int MAX_BYTES = 64 << 10;

    private RequestBody() {}

    /**
     * Reads a body that is sent in chunks; false if it breaks off or is too long. The JDK's server reads what a handler leaves, and
     * fails with an {@link IndexOutOfBoundsException} where a chunk breaks off.
     */
    static boolean isWhole(HttpExchange exchange) {
        if (!exchange.getRequestHeaders().containsKey("Transfer-Encoding")) {
            return true;
        }
        InputStream body = exchange.getRequestBody();
        try {
            return body.readNBytes(MAX_BYTES + 1).length <= MAX_BYTES;
        } catch (IOException | IndexOutOfBoundsException brokenOff) {
            return false;
        }
    }
}
