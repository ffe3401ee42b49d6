package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.LISTEN_PERMISSION;
import static io.millrace.app.doctor.Diagnosis.LISTEN_PORT;
import static io.millrace.app.doctor.Diagnosis.SOCKET_DROPS;

import io.millrace.app.doctor.ServiceProcess.Owner;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.UdpSockets;
import io.millrace.collector.CollectorSettings.Input;
import io.millrace.internal.linux.ProcText;
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
            examination.add(
                    LISTEN_PORT,
                    owner == null ? FindingSeverity.RISK : FindingSeverity.LOSES,
                    address,
                    IpText.of(Objects.requireNonNull(socket.address())) + " is taken by " + who,
                    UdpSockets.SOURCE,
                    Remediation.advice(
                            owner == null
                                    ? "look again as root: if it is the service itself, all is well"
                                    : "stop that program, or listen on another port (inputs.NAME.listen)"));
        }
        if (free) {
            examination.ok(
                    LISTEN_PORT,
                    address,
                    examination.process().running() ? "the service uses it" : "it is free",
                    UdpSockets.SOURCE);
        }
    }

    private static void drops(Examination examination, UdpSocketLine socket, String address) {
        String seen = Amounts.count(socket.drops(), "datagram") + " dropped at the service's socket "
                + IpText.of(Objects.requireNonNull(socket.address()));
        if (socket.drops() == 0) {
            examination.ok(SOCKET_DROPS, address, seen, UdpSockets.SOURCE);
        } else {
            examination.add(
                    SOCKET_DROPS,
                    FindingSeverity.LOSES,
                    address,
                    seen + ", since it was opened",
                    UdpSockets.SOURCE,
                    Remediation.advice(
                            "a longer receive buffer rides out pauses (receive-buffer); if the receiver is always busy,"
                                    + " take more (receive.receivers)"));
        }
    }

    private static void permission(Examination examination, InetSocketAddress wanted, String address) {
        Long first = ProcText.number(examination.host().read(FIRST_FREE).text());
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
        } else if (has) {
            examination.ok(LISTEN_PERMISSION, address, process.text() + " has CAP_NET_BIND_SERVICE", source);
        } else {
            examination.add(
                    LISTEN_PERMISSION,
                    FindingSeverity.RISK,
                    address,
                    "port " + port + " needs CAP_NET_BIND_SERVICE, and " + process.text() + " does not have it",
                    source,
                    Remediation.advice(
                            "in the service's unit: AmbientCapabilities=CAP_NET_BIND_SERVICE; or let every user have"
                                    + " the port: sysctl -w net.ipv4.ip_unprivileged_port_start=" + port));
        }
    }
}
