package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_HASH;
import static io.millrace.app.doctor.Diagnosis.NIC_QUEUES;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Amounts;
import java.net.Inet4Address;
import java.net.InetAddress;

/** Check of the card's receive queues and their hash. */
final class QueuesCheck {
    /** Datagrams per second that any CPU can process up to the socket; some process a million. */
    private static final long EASY_PER_QUEUE = 300_000;

    private QueuesCheck() {}

    static boolean heavy(Examination examination, int queues) {
        return examination.settings().rate() / Math.max(1, queues) > EASY_PER_QUEUE;
    }

    static void look(Examination examination) {
        for (Nic nic : examination.interfaces().hardware()) {
            queues(examination, nic);
            if (nic.queues() < 2) {
                examination.ok(NIC_HASH, nic.name(), "of no account with one queue", nic.path("queues"));
                continue;
            }
            if (takesIpv4(examination)) {
                hash(examination, nic, "udp4");
            }
            if (takesIpv6(examination)) {
                hash(examination, nic, "udp6");
            }
        }
    }

    private static void queues(Examination examination, Nic nic) {
        String text = examination.tool(NIC_QUEUES, nic.name(), "ethtool", "-l", nic.name());
        if (text == null) {
            return;
        }
        Limits combined = Limits.of(text, "Combined");
        Limits limits = combined.max() > 0 ? combined : Limits.of(text, "RX");
        int cpus = examination.cpus();
        long useful = Math.min(limits.max(), cpus);
        String source = "ethtool -l " + nic.name();
        String seen = Amounts.count(limits.now(), "queue") + " of " + limits.max() + ", "
                + Amounts.count(cpus, "CPU") + ", "
                + examination.settings().rateText();
        if (limits.now() <= 0) {
            examination.unavailable(NIC_QUEUES, nic.name(), "the driver does not tell", source);
        } else if (limits.now() >= useful) {
            examination.ok(NIC_QUEUES, nic.name(), seen, source);
        } else {
            boolean heavy = heavy(examination, (int) limits.now());
            examination.add(
                    NIC_QUEUES,
                    heavy ? FindingSeverity.RISK : FindingSeverity.NOTE,
                    nic.name(),
                    seen,
                    source,
                    Remediation.ethtool(
                                    nic.name(),
                                    "-L",
                                    nic.name(),
                                    combined.max() > 0 ? "combined" : "rx",
                                    String.valueOf(useful))
                            .with(RingCheck.PAUSES));
        }
    }

    private static void hash(Examination examination, Nic nic, String flow) {
        String text = examination.tool(NIC_HASH, nic.name(), "ethtool", "-n", nic.name(), "rx-flow-hash", flow);
        if (text == null) {
            return;
        }
        String source = "ethtool -n " + nic.name() + " rx-flow-hash " + flow;
        boolean ports = text.contains("L4 bytes 0 & 1") && text.contains("L4 bytes 2 & 3");
        String fields = text.lines()
                .skip(1)
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .reduce((a, b) -> a + ", " + b)
                .orElse("none");
        String seen = flow + " over " + nic.queues() + " queues by: " + fields;
        if (ports) {
            examination.ok(NIC_HASH, nic.name() + " " + flow, seen, source);
        } else {
            examination.add(
                    NIC_HASH,
                    FindingSeverity.RISK,
                    nic.name() + " " + flow,
                    seen,
                    source,
                    Remediation.ethtool(nic.name(), "-N", nic.name(), "rx-flow-hash", flow, "sdfn")
                            .with(
                                    "fragments have no ports, and so use another queue than other datagrams of the same"));
        }
    }

    private static boolean takesIpv4(Examination examination) {
        return examination.settings().collector().inputs().stream()
                .map(it -> it.address().getAddress())
                .anyMatch(it -> it instanceof Inet4Address || it.isAnyLocalAddress());
    }

    private static boolean takesIpv6(Examination examination) {
        return examination.settings().collector().inputs().stream()
                .map(it -> it.address().getAddress())
                .anyMatch(QueuesCheck::isIpv6);
    }

    private static boolean isIpv6(InetAddress address) {
        return !(address instanceof Inet4Address);
    }
}
