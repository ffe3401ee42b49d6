package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.LISTEN_PERMISSION;
import static io.millrace.app.doctor.Diagnosis.LISTEN_PORT;
import static io.millrace.app.doctor.Diagnosis.SOCKET_DROPS;
import static io.millrace.app.doctor.FindingSeverity.LOSES;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.ServiceProcess.Owner;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.UdpSockets;
import io.millrace.collector.CollectorSettings.Input;
import io.millrace.internal.linux.UdpSocketLine;
import io.millrace.internal.text.IpText;
import java.net.InetSocketAddress;
import java.util.Objects;

/** Check of the listen ports: their owners, the permission to bind them, and their drops. */
final class ListenPortCheck {
    private static final String FIRST_FREE = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
    private static final int USUAL_FIRST_FREE = 1024;

    private ListenPortCheck() {}

    static void look(Examination examination) {
        String problem = examination.sockets().problem();
        for (Input input : examination.settings().collector().inputs()) {
            String address = IpText.of(input.address());
            if (problem == null) {
                port(examination, input.address(), address);
            } else {
                examination.unavailable(LISTEN_PORT, address, problem, UdpSockets.SOURCE);
            }
            permission(examination, input.address(), address);
        }
    }

    private static void port(Examination examination, InetSocketAddress wanted, String address) {
        boolean free = true;
        for (UdpSocketLine socket : examination.sockets().on(wanted)) {
            Owner owner = examination.process().owners().get(socket.inode());
            if (owner != null && owner.millrace()) {
                drops(examination, socket, address);
                continue;
            }
            free = false;
            String who = owner == null
                    ? "a program of user " + socket.uid() + ", which this process may not look at"
                    : owner.command() + ", process " + owner.proc().substring("/proc/".length());
            String seen = IpText.of(Objects.requireNonNull(socket.address())) + " is taken by " + who;
            Remediation remediation = Remediation.advice(
                    owner == null
                            ? "look again as root: if it is the service itself, all is well"
                            : "stop that program, or listen on another port (inputs.NAME.listen)");
            examination.add(LISTEN_PORT, owner == null ? RISK : LOSES, address, seen, UdpSockets.SOURCE, remediation);
        }
        if (free) {
            String seen = examination.process().running() ? "the service uses it" : "it is free";
            examination.ok(LISTEN_PORT, address, seen, UdpSockets.SOURCE);
        }
    }

    private static void drops(Examination examination, UdpSocketLine socket, String address) {
        String seen = Amounts.count(socket.drops(), "datagram") + " dropped at the service's socket "
                + IpText.of(Objects.requireNonNull(socket.address()));
        boolean dropped = socket.drops() != 0;
        Remediation remediation = Remediation.advice(
                "a longer receive buffer rides out pauses (receive-buffer); if the receiver is always"
                        + " busy, take more (receive.receivers)");
        seen += dropped ? ", since it was opened" : "";
        examination.add(SOCKET_DROPS, dropped ? LOSES : OK, address, seen, UdpSockets.SOURCE, remediation);
    }

    private static void permission(Examination examination, InetSocketAddress wanted, String address) {
        Long first = examination.numberIn(FIRST_FREE);
        int port = wanted.getPort();
        if (port == 0 || port >= (first == null ? USUAL_FIRST_FREE : first)) {
            examination.ok(LISTEN_PERMISSION, address, "needs no capability", FIRST_FREE);
            return;
        }
        ServiceProcess process = examination.process();
        Boolean has = process.has(examination.host(), ServiceProcess.CAP_NET_BIND_SERVICE);
        String source = process.proc() + "/status (CapEff), " + FIRST_FREE;
        if (has == null) {
            examination.unavailable(LISTEN_PERMISSION, address, "the capabilities cannot be read", source);
            return;
        }
        String seen = has
                ? process.text() + " has CAP_NET_BIND_SERVICE"
                : "port " + port + " needs CAP_NET_BIND_SERVICE, and " + process.text() + " does not have it";
        Remediation remediation =
                Remediation.advice("in the service's unit: AmbientCapabilities=CAP_NET_BIND_SERVICE; or let every user"
                        + " have the port: sysctl -w net.ipv4.ip_unprivileged_port_start=" + port);
        examination.add(LISTEN_PERMISSION, has ? OK : RISK, address, seen, source, remediation);
    }
}
