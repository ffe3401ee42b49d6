package io.millrace.app.config;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address to listen on.
 *
 * @param text as the user wrote it
 * @param address the host is resolved
 */
public record ListenAddress(String text, InetSocketAddress address) {
    private static final Pattern HOST_PORT = Pattern.compile("(\\[[^\\]]*\\]|[^:]*):(\\d{1,5})");

    /** Null if the text is no HOST:PORT. */
    static @Nullable ListenAddress parse(String text) {
        Matcher matcher = HOST_PORT.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < 0 || port > 65_535) {
            return null;
        }
        String host = matcher.group(1).replaceAll("[\\[\\]]", "");
        try {
            return new ListenAddress(text, new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException e) {
            throw new IllegalArgumentException("takes HOST:PORT, but there is no host '" + host + "'", e);
        }
    }

    /** What is listened on if nothing is said: IPv4 and IPv6 where the host has IPv6, else IPv4. */
    static String defaultText() {
        return hasIpv6() ? "[::]:5514" : "0.0.0.0:5514";
    }

    private static boolean hasIpv6() {
        try {
            return !Files.readAllLines(Path.of("/proc/net/if_inet6")).isEmpty();
        } catch (IOException e) {
            return false;
        }
    }
}
