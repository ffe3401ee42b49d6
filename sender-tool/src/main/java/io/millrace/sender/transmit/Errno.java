package io.millrace.sender.transmit;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * The errno name of a send error. Java's channels and Netty's sockets provide only the message of the C library, so the
 * name is derived from that.
 */
final class Errno {
    private static final List<Map.Entry<String, String>> TEXTS = List.of(
            Map.entry("No buffer space available", "ENOBUFS"),
            Map.entry("Resource temporarily unavailable", "EAGAIN"),
            Map.entry("Message too long", "EMSGSIZE"),
            Map.entry("Operation not permitted", "EPERM"),
            Map.entry("Permission denied", "EACCES"),
            Map.entry("Network is unreachable", "ENETUNREACH"),
            Map.entry("Network is down", "ENETDOWN"),
            Map.entry("No route to host", "EHOSTUNREACH"),
            Map.entry("Host is down", "EHOSTDOWN"),
            Map.entry("Invalid argument", "EINVAL"),
            Map.entry("Input/output error", "EIO"),
            Map.entry("Cannot allocate memory", "ENOMEM"),
            Map.entry("Broken pipe", "EPIPE"),
            Map.entry("end of file", "EPIPE"),
            Map.entry("Connection refused", "ECONNREFUSED"));

    private Errno() {}

    static String of(IOException e) {
        if (e instanceof FatalSendException && e.getCause() instanceof IOException cause) {
            return of(cause);
        }
        String message = e.getMessage();
        if (message != null) {
            for (Map.Entry<String, String> text : TEXTS) {
                if (message.contains(text.getKey())) {
                    return text.getValue();
                }
            }
        }
        return e.getClass().getSimpleName();
    }
}
