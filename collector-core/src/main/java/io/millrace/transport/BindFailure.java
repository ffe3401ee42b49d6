package io.millrace.transport;

import io.millrace.record.IpText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/** Turns what the kernel says of a bind into what a person can do about it. */
final class BindFailure {
    private static final Map<String, String> WAYS_OUT = Map.of(
            "address already in use", "another program listens there; see which: ss -lunp 'sport = :%d'",
            "permission denied", "ports below 1024 need CAP_NET_BIND_SERVICE: run as root, or listen on a higher port",
            "cannot assign requested address", "this host has no such address; see which it has: ip address",
            "address family not supported", "this host has no IPv6; listen on 0.0.0.0:%d instead");

    private BindFailure() {}

    static IOException of(InetSocketAddress address, IOException cause) {
        String reason = String.valueOf(cause.getMessage());
        String lower = reason.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> way : WAYS_OUT.entrySet()) {
            if (lower.contains(way.getKey())) {
                return new IOException(
                        String.format(
                                "cannot listen on %s: %s (" + way.getValue() + ")",
                                IpText.of(address),
                                way.getKey(),
                                address.getPort()),
                        cause);
            }
        }
        return new IOException("cannot listen on " + IpText.of(address) + ": " + reason, cause);
    }
}
