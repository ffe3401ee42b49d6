package io.millrace.sender.command;

import io.millrace.sender.value.Quantity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A target of the run.
 *
 * @param text the text of the option
 * @param address the resolved address
 */
record Target(String text, InetSocketAddress address) {
    private static final Pattern HOST_PORT = Pattern.compile("(?:\\[([^\\[\\]]+)]|([^:\\[\\]]+)):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    /** Parses and resolves HOST:PORT. */
    static Target parse(String text) {
        Matcher matcher = HOST_PORT.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : 0;
        if (port < 1 || port > MAX_PORT) {
            throw Quantity.invalid(
                    text,
                    "takes HOST:PORT with a port from 1 to 65535, such as 127.0.0.1:5514, localhost:5514 or"
                            + " [::1]:5514");
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        try {
            return new Target(text, new InetSocketAddress(InetAddress.getByName(host), port));
        } catch (UnknownHostException e) {
            throw Quantity.invalid(text, "the host '" + host + "' cannot be resolved");
        }
    }
}
