package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.linux.UdpSocketLine;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The process whose limits and capabilities are checked: the service if it runs (it owns a configured port), else this
 * process.
 *
 * @param proc its directory, such as {@code /proc/4711}
 * @param running true if it is the service
 * @param owners the known owners of the configured ports, by inode
 */
record ServiceProcess(String proc, boolean running, Map<Long, Owner> owners) {
    static final int CAP_NET_BIND_SERVICE = 10;
    static final int CAP_NET_ADMIN = 12;

    private static final String SELF = "/proc/self";

    record Owner(String proc, String command, boolean millrace) {}

    static ServiceProcess of(Examination examination) {
        Set<Long> wanted = examination.settings().collector().inputs().stream()
                .flatMap(input -> examination.sockets().on(input.address()).stream())
                .map(UdpSocketLine::inode)
                .collect(Collectors.toSet());
        Map<Long, Owner> owners = new HashMap<>();
        Host host = examination.host();
        if (examination.settings().inService()) {
            note(host, SELF, wanted, owners);
            return new ServiceProcess(SELF, true, owners);
        }
        Set<Long> left = new HashSet<>(wanted);
        for (String pid : host.list("/proc")) {
            if (left.isEmpty()) {
                break;
            }
            if (pid.matches("\\d+")) {
                note(host, "/proc/" + pid, left, owners);
                left.removeAll(owners.keySet());
            }
        }
        return owners.values().stream()
                .filter(Owner::millrace)
                .findFirst()
                .map(it -> new ServiceProcess(it.proc(), true, owners))
                .orElseGet(() -> new ServiceProcess(SELF, false, owners));
    }

    private static void note(Host host, String proc, Set<Long> wanted, Map<Long, Owner> owners) {
        List<String> descriptors = host.list(proc + "/fd");
        for (String descriptor : descriptors) {
            String target = host.link(proc + "/fd/" + descriptor);
            if (target != null && target.matches("socket:\\[\\d{1,18}]")) {
                long inode = Long.parseLong(target.substring(8, target.length() - 1));
                if (wanted.contains(inode)) {
                    owners.put(inode, owner(host, proc));
                }
            }
        }
    }

    private static Owner owner(Host host, String proc) {
        String line = host.read(proc + "/cmdline").text();
        String command = host.read(proc + "/comm").text();
        boolean millrace =
                proc.equals(SELF) || (line != null && (line.contains("millrace.jar") || line.contains("io.millrace.")));
        return new Owner(proc, command == null ? "?" : command.strip(), millrace);
    }

    /** {@code process 4711 of the service}, or {@code this process}. */
    String text() {
        return running && !proc.equals(SELF)
                ? "process " + proc.substring("/proc/".length()) + " of the service"
                : "this process";
    }

    /** A field of its status; null if it cannot be read. */
    @Nullable
    String status(Host host, String field) {
        String text = host.read(proc + "/status").text();
        return text == null ? null : ProcText.field(text, field);
    }

    /** True if it has a capability; null if unknown. */
    @Nullable
    Boolean has(Host host, int capability) {
        String mask = status(host, "CapEff");
        if (mask == null || !mask.matches("[0-9a-f]{1,16}")) {
            return null;
        }
        return ((Long.parseUnsignedLong(mask, 16) >>> capability) & 1) == 1;
    }
}
