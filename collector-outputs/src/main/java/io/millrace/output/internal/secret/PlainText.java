package io.millrace.output.internal.secret;

import io.millrace.collector.Network;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Secrets that travel without TLS, where everybody on the way can read them. */
public final class PlainText {
    /** Names of headers and of parameters in a URL whose values are secrets. */
    private static final Pattern SECRET = Pattern.compile(
            ".*(auth|token|passw|secret|cookie|signature|credential|api-?key|access-?key).*|key|sig|code");

    private static final List<Network> LOOPBACK = List.of(Network.parse("127.0.0.0/8"), Network.parse("::1"));

    private PlainText() {}

    /**
     * A warning about the secrets of requests to a URL.
     *
     * @param settings the settings that are sent as secrets with each request
     * @param headers the names of further headers
     * @return null if there is no secret, or it cannot be read on the way: over https, or within this host
     */
    public static @Nullable String warning(URI url, Collection<String> settings, Collection<String> headers) {
        String host = url.getHost();
        if (!"http".equals(url.getScheme()) || host == null || isLoopback(host)) {
            return null;
        }
        List<String> secrets = new ArrayList<>(settings);
        headers.stream().filter(PlainText::isSecret).sorted().forEach(name -> secrets.add("the header " + name));
        String query = url.getRawQuery();
        for (String parameter : query == null ? new String[0] : query.split("&")) {
            String name = parameter.replaceFirst("=.*", "");
            if (isSecret(name)) {
                secrets.add("a parameter of the URL");
            }
        }
        return secrets.isEmpty()
                ? null
                : String.join(", ", secrets.stream().distinct().toList()) + ": sent in plain text to " + host
                        + ", where everybody on the way can read it: use https://";
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name.toLowerCase(Locale.ROOT)).matches();
    }

    /** True if a host is this one by its name or its address. Names are not looked up. */
    public static boolean isLoopback(String host) {
        String bare = host.replaceFirst("^\\[(.*)]$", "$1").toLowerCase(Locale.ROOT);
        if (bare.equals("localhost") || bare.endsWith(".localhost")) {
            return true;
        }
        try {
            Network address = Network.parse(bare);
            return LOOPBACK.stream().anyMatch(network -> network.contains(address));
        } catch (IllegalArgumentException itIsAName) {
            return false;
        }
    }
}
