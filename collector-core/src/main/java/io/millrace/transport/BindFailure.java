package io.millrace.transport;

import io.millrace.record.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/** Turns the error of a failed bind into a message that says how to fix it. */
final class BindFailure {
    private static final Map<String, String> REMEDIES = Map.of(
            "address already in use", "another process has the port; to find it: ss -lunp 'sport = :%d'",
            "permission denied", "ports below 1024 need CAP_NET_BIND_SERVICE: run as root, or listen on a higher port",
            "cannot assign requested address", "this host does not have the address; to list its addresses: ip address",
            "address family not supported", "this host has no IPv6; listen on 0.0.0.0:%d instead");

    private BindFailure() {}

    static IOException of(InetSocketAddress address, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> remedy : REMEDIES.entrySet()) {
            if (lower.contains(remedy.getKey())) {
                return new IOException(
                        String.format(
                                "cannot listen on %s: %s (" + remedy.getValue() + ")",
                                IpText.of(address),
                                remedy.getKey(),
                                address.getPort()),
                        cause);
            }
        }
        return new IOException("cannot listen on " + IpText.of(address) + ": " + reason, cause);
    }
}
