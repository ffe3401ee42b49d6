package io.millrace.app.config;

import io.millrace.collector.Endpoint;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where an input listens: on UDP, or elsewhere.
 *
 * @param text as the user wrote it
 * @param udp the address of UDP; null if it listens elsewhere
 * @param endpoint where it listens; null if on UDP
 */
public record InputListen(
        String text,
        @Nullable InetSocketAddress udp,
        @Nullable Endpoint endpoint) {
    /** What is taken, for people. */
    static final String TAKES =
            "HOST:PORT (UDP), udp://HOST:PORT, tcp://HOST:PORT, tls://HOST:PORT, relp://HOST:PORT, unix:///PATH or"
                    + " unixgram:///PATH, for example 0.0.0.0:5514, tcp://[::]:5514 or unixgram:///run/millrace/log";

    private static final Pattern URI = Pattern.compile("([a-z]+)://(.*)");

    /** A port without a host, which is not taken. */
    private static final Pattern PORT = Pattern.compile("(?:(udp|tcp|tls|relp):)?(\\d{1,5})");

    /** A path with a part of a scheme, or without one, which is not taken. */
    private static final Pattern PATH = Pattern.compile("(?:(unix|unixgram):/?|/)([^/].*)");

    /** What the kernel has room for, without the 0 at the end. */
    private static final int MAX_PATH_BYTES = 107;

    static InputListen tcp(InetSocketAddress address) {
        return new InputListen("tcp://" + address, null, Endpoint.tcp(address));
    }

    /** The end of the message for a text that lacks the address, or the scheme and two slashes; else empty. */
    static String meant(String text) {
        Matcher port = PORT.matcher(text);
        if (port.matches()) {
            return "; did you mean " + Objects.requireNonNullElse(port.group(1), "udp") + "://0.0.0.0:" + port.group(2)
                    + "?";
        }
        Matcher path = PATH.matcher(text);
        return path.matches()
                ? "; did you mean " + Objects.requireNonNullElse(path.group(1), "unix") + ":///" + path.group(2) + "?"
                : "";
    }

    static @Nullable InputListen parse(String text) {
        if (!meant(text).isEmpty()) {
            return null;
        }
        Matcher uri = URI.matcher(text);
        String scheme = uri.matches() ? uri.group(1) : "udp";
        String rest = uri.matches() ? uri.group(2) : text;
        return switch (scheme) {
            case "udp" -> {
                ListenAddress address = ListenAddress.parse(rest);
                yield address == null ? null : new InputListen(text, address.address(), null);
            }
            case "tcp" -> {
                ListenAddress address = ListenAddress.parse(rest);
                yield address == null ? null : new InputListen(text, null, Endpoint.tcp(address.address()));
            }
            case "tls" -> {
                ListenAddress address = ListenAddress.parse(rest);
                yield address == null ? null : new InputListen(text, null, Endpoint.tls(address.address()));
            }
            case "relp" -> {
                ListenAddress address = ListenAddress.parse(rest);
                yield address == null ? null : new InputListen(text, null, Endpoint.relp(address.address()));
            }
            case "unix" -> new InputListen(text, null, Endpoint.unix(path(text, rest)));
            case "unixgram" -> new InputListen(text, null, Endpoint.unixgram(path(text, rest)));
            default -> null;
        };
    }

    private static Path path(String text, String rest) {
        try {
            Path path = Path.of(rest);
            if (!path.isAbsolute() || path.getFileName() == null) {
                throw new IllegalArgumentException(
                        "accepts an absolute path after the scheme, as in unix:///run/millrace/log, not '" + text
                                + "'");
            }
            int bytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_PATH_BYTES) {
                throw new IllegalArgumentException(
                        "accepts a path of up to " + MAX_PATH_BYTES + " bytes for a socket, and this has " + bytes);
            }
            return path;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("accepts a path, and '" + rest + "' is none", e);
        }
    }

    /** True if the kernel does not let two inputs listen like this. */
    boolean overlaps(InputListen other) {
        InetSocketAddress mine = address();
        InetSocketAddress others = other.address();
        if (mine == null || others == null) {
            // A path is one file, whatever kind of socket it is.
            return mine == null && others == null && path().equals(other.path());
        }
        return (udp == null) == (other.udp == null)
                && mine.getPort() != 0
                && mine.getPort() == others.getPort()
                && (mine.getAddress().equals(others.getAddress())
                        || isWithin(others.getAddress(), mine.getAddress())
                        || isWithin(mine.getAddress(), others.getAddress()));
    }

    /** What other addresses it listens on, for people; empty if it is only its own. */
    String coverage() {
        InetSocketAddress address = address();
        if (address == null || !address.getAddress().isAnyLocalAddress()) {
            return "";
        }
        return address.getAddress() instanceof Inet6Address
                ? "[::] is every address of this host, IPv4 included"
                : "0.0.0.0 is every IPv4 address of this host";
    }

    private static boolean isWithin(InetAddress one, InetAddress all) {
        return all.isAnyLocalAddress() && (all instanceof Inet6Address || one instanceof Inet4Address);
    }

    private @Nullable InetSocketAddress address() {
        return endpoint == null ? udp : endpoint.address();
    }

    private Path path() {
        return Objects.requireNonNull(Objects.requireNonNull(endpoint).path());
    }
}
