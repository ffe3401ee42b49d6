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
    private static final int MAX_PORT = 65_535;
    private static final Pattern HOST_PORT = Pattern.compile("(\\[[^\\]]*\\]|[^:]*):(\\d{1,5})");

    /**
     * Null if the text is no HOST:PORT.
     *
     * @throws IllegalArgumentException if it looks like one, but host or port is wrong
     */
    static @Nullable ListenAddress parse(String text) {
        Matcher matcher = HOST_PORT.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int port = Integer.parseInt(matcher.group(2));
        if (port > MAX_PORT) {
            throw new IllegalArgumentException("accepts HOST:PORT, but a port is at most " + MAX_PORT);
        }
        String host = matcher.group(1).replaceAll("[\\[\\]]", "");
        if (host.isEmpty() || host.equals("*")) {
            // Java would take an empty one for this host alone, others for all its addresses.
            throw new IllegalArgumentException("accepts HOST:PORT: for all addresses [::]:" + port + ", or 0.0.0.0:"
                    + port + " without IPv6; for this host alone 127.0.0.1:" + port);
        }
        try {
            return new ListenAddress(text, new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (IOException e) {
            throw new IllegalArgumentException("accepts HOST:PORT, but there is no host '" + host + "'", e);
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
