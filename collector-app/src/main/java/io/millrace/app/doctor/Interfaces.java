package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Host;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.text.IpText;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The interfaces that receive datagrams: those that are up and have a listen address, and the cards below them (bonds,
 * bridges, VLANs).
 *
 * @param nics the interfaces
 */
record Interfaces(List<Nic> nics) {
    private static final String NET = "/sys/class/net/";
    private static final int IFF_UP = 1;
    private static final int IFF_LOOPBACK = 8;
    private static final Pattern ADDRESS =
            Pattern.compile("(?m)^\\d+: (\\S+)\\s+inet6? ([0-9a-fA-F.:]+)(?:/\\d+| peer)");

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_.:@-]+");

    /**
     * An interface.
     *
     * @param hardware true for a card, or a virtual one of a hypervisor
     * @param stacked true for an interface above others: bonds, bridges, VLANs
     */
    record Nic(String name, boolean hardware, boolean stacked, int queues) {
        String path(String file) {
            return NET + name + "/" + file;
        }
    }

    List<Nic> hardware() {
        return nics.stream().filter(Nic::hardware).toList();
    }

    static Interfaces of(Examination examination) {
        Host host = examination.host();
        // Names are used in commands, so names that a shell or a udev rule would interpret are skipped.
        List<String> up = host.list(NET).stream()
                .filter(it -> PLAIN.matcher(it).matches())
                .filter(it -> isUp(host, it))
                .toList();
        List<String> outer = up.stream().filter(it -> !isLoopback(host, it)).toList();
        Set<String> names = new LinkedHashSet<>();
        for (CollectorSettings.Input input : examination.settings().collector().inputs()) {
            InetAddress address = input.address().getAddress();
            if (address.isLoopbackAddress()) {
                up.stream().filter(it -> isLoopback(host, it)).forEach(names::add);
            } else if (address.isAnyLocalAddress()) {
                names.addAll(outer);
            } else {
                names.addAll(carrying(examination, address, outer));
            }
        }
        judge(examination, names, outer);
        Set<String> withLower = new LinkedHashSet<>();
        names.forEach(it -> addWithLower(host, it, withLower));
        return new Interfaces(withLower.stream().map(it -> nic(host, it)).toList());
    }

    private static void judge(Examination examination, Set<String> names, List<String> outer) {
        if (outer.isEmpty()) {
            examination.add(
                    Diagnosis.INTERFACES,
                    FindingSeverity.NOTE,
                    "no interface but loopback is up: only programs of this host can send",
                    NET,
                    Remediation.NONE);
        } else if (!names.isEmpty()) {
            examination.ok(Diagnosis.INTERFACES, "datagrams come in on " + String.join(", ", names), NET);
        }
    }

    /** Without the tool, all interfaces that are up. */
    private static List<String> carrying(Examination examination, InetAddress address, List<String> outer) {
        Host.Answer answer = examination.host().run("ip", "-o", "addr");
        String text = answer.text();
        if (text == null) {
            if (answer.missing()) {
                examination.missing(Diagnosis.INTERFACES, "ip");
            } else {
                examination.unavailable(Diagnosis.INTERFACES, "", answer.problem(), "ip -o addr");
            }
            return outer;
        }
        List<String> names = new ArrayList<>();
        Matcher matcher = ADDRESS.matcher(text);
        while (matcher.find()) {
            if (matcher.group(2).equalsIgnoreCase(IpText.of(address).replaceFirst("%.*", ""))) {
                names.add(matcher.group(1));
            }
        }
        if (names.isEmpty()) {
            examination.add(
                    Diagnosis.INTERFACES,
                    FindingSeverity.LOSES,
                    IpText.of(address),
                    "no interface has the address " + IpText.of(address) + ": the service cannot listen there",
                    "ip -o addr",
                    Remediation.advice("give the address to an interface (ip address add), or listen on another"));
        }
        return names;
    }

    private static void addWithLower(Host host, String name, Set<String> names) {
        if (names.add(name)) {
            host.list(NET + name).stream()
                    .filter(it -> it.startsWith("lower_"))
                    .forEach(it -> addWithLower(host, it.substring("lower_".length()), names));
        }
    }

    private static Nic nic(Host host, String name) {
        int queues = (int) host.list(NET + name + "/queues").stream()
                .filter(it -> it.startsWith("rx-"))
                .count();
        boolean hardware = !host.list(NET + name + "/device").isEmpty();
        boolean stacked = host.list(NET + name).stream().anyMatch(it -> it.startsWith("lower_"));
        return new Nic(name, hardware, stacked, queues);
    }

    private static boolean isUp(Host host, String name) {
        String state = host.read(NET + name + "/operstate").text();
        return (flags(host, name) & IFF_UP) != 0
                && state != null
                && List.of("up", "unknown").contains(state.strip());
    }

    private static boolean isLoopback(Host host, String name) {
        return (flags(host, name) & IFF_LOOPBACK) != 0;
    }

    private static int flags(Host host, String name) {
        String text = host.read(NET + name + "/flags").text();
        return text == null || !text.strip().matches("0x[0-9a-f]{1,8}")
                ? 0
                : Integer.parseUnsignedInt(text.strip().substring(2), 16);
    }
}
