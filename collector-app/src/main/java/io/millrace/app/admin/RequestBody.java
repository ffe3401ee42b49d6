package io.millrace.app.admin;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;

/** The body of a request. Admin HTTP needs none, and reads it safely. */
final class RequestBody {
    static final int MAX_BYTES = 64 << 10;

    private RequestBody() {}

    /**
     * Reads a chunked body; returns false if it is incomplete or too long. The JDK's server reads what a handler
     * leaves, and fails with an {@link IndexOutOfBoundsException} at an incomplete chunk.
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
