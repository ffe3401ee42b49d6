package io.millrace.app.doctor.host;

import io.millrace.app.doctor.host.Host.Answer;
import io.millrace.internal.linux.UdpSocketLine;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The UDP sockets of the host, from {@code /proc/net/udp} and {@code udp6}.
 *
 * @param all every socket
 * @param problem why they cannot be read; null if they can
 */
public record UdpSockets(List<UdpSocketLine> all, @Nullable String problem) {
    public static final String SOURCE = String.join(", ", UdpSocketLine.FILES);

    /** Reads the sockets of a host. */
    public static UdpSockets of(Host host) {
        List<UdpSocketLine> sockets = new ArrayList<>();
        String problem = null;
        int read = 0;
        for (String path : UdpSocketLine.FILES) {
            Answer answer = host.read(path);
            if (answer.text() != null) {
                read++;
                UdpSocketLine.parse(answer.text())
                        .filter(socket -> socket.address() != null)
                        .forEach(sockets::add);
            } else {
                problem = answer.problem();
            }
        }
        // A host without IPv6 has no udp6, which is not a problem.
        return new UdpSockets(List.copyOf(sockets), read == 0 ? problem : null);
    }

    /** The sockets that conflict with a socket to be bound to an address. */
    public List<UdpSocketLine> on(InetSocketAddress address) {
        return address.getPort() == 0
                ? List.of()
                : all.stream()
                        .filter(socket -> conflict(Objects.requireNonNull(socket.address()), address))
                        .toList();
    }

    /** True if the kernel would refuse to bind both addresses. */
    private static boolean conflict(InetSocketAddress one, InetSocketAddress other) {
        InetAddress mine = one.getAddress();
        InetAddress theirs = other.getAddress();
        if (one.getPort() != other.getPort()) {
            return false;
        }
        if (mine.getClass() == theirs.getClass()) {
            return mine.isAnyLocalAddress() || theirs.isAnyLocalAddress() || mine.equals(theirs);
        }
        // A socket on [::] also receives IPv4, unless IPV6_V6ONLY is set, which other processes cannot see.
        boolean sixIsMine = mine.getAddress().length == 16;
        return (sixIsMine ? mine : theirs).isAnyLocalAddress();
    }
}
