package io.millrace.internal.transport;

import io.millrace.internal.text.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/** Turns the error of a failed bind into a message that says how to fix it. */
public final class BindFailure {
    private static final Map<String, String> REMEDIES = Map.of(
            "address already in use", "another process has the port; to find it: %2$s 'sport = :%1$d'",
            "permission denied", "ports below 1024 need CAP_NET_BIND_SERVICE: run as root, or listen on a higher port",
            "cannot assign requested address", "this host does not have the address; to list its addresses: ip address",
            "address family not supported", "this host has no IPv6; listen on 0.0.0.0:%1$d instead");

    private BindFailure() {}

    static IOException ofUdp(InetSocketAddress address, Exception cause) {
        return of(IpText.of(address), address.getPort(), "ss -lunp", cause);
    }

    /** The error of a listening socket of TCP. */
    public static IOException ofTcp(InetSocketAddress address, Exception cause) {
        return of("tcp " + IpText.of(address), address.getPort(), "ss -lntp", cause);
    }

    private static IOException of(String address, int port, String list, Exception cause) {
        String reason = cause instanceof UnsupportedOperationException
                ? "address family not supported"
                : String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> remedy : REMEDIES.entrySet()) {
            if (lower.contains(remedy.getKey())) {
                String advice = String.format(Locale.ROOT, remedy.getValue(), port, list);
                return new IOException(
                        "cannot listen on " + address + ": " + remedy.getKey() + " (" + advice + ")", cause);
            }
        }
        return new IOException("cannot listen on " + address + ": " + reason, cause);
    }
}
