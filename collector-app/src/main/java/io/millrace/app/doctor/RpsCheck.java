package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_RPS;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import java.util.List;

/** Check of receive packet steering. */
final class RpsCheck {
    private RpsCheck() {}

    /** The queues with steering, and their masks. */
    static List<String> steering(Host host, Nic nic) {
        return host.list(nic.path("queues")).stream()
                .filter(it -> it.startsWith("rx-"))
                .map(it -> it + " " + mask(host, nic, it))
                .filter(it -> it.matches("\\S+ .*[1-9a-f].*"))
                .toList();
    }

    private static String mask(Host host, Nic nic, String queue) {
        String text = host.read(nic.path("queues/" + queue + "/rps_cpus")).text();
        return text == null ? "" : text.strip();
    }

    static void look(Examination examination) {
        int cpus = examination.cpus();
        for (Nic nic : examination.interfaces().hardware()) {
            String source = nic.path("queues/rx-*/rps_cpus");
            List<String> steering = steering(examination.host(), nic);
            if (!steering.isEmpty()) {
                examination.ok(NIC_RPS, nic.name(), "on: " + String.join(", ", steering), source);
            } else if (nic.queues() != 1 || cpus == 1 || !QueuesCheck.heavy(examination, 1)) {
                examination.ok(
                        NIC_RPS,
                        nic.name(),
                        "off, with " + Amounts.count(nic.queues(), "queue") + " and " + Amounts.count(cpus, "CPU"),
                        source);
            } else {
                examination.add(
                        NIC_RPS,
                        FindingSeverity.RISK,
                        nic.name(),
                        "off, with one queue and " + cpus + " CPUs, for "
                                + examination.settings().rateText(),
                        source,
                        Remediation.deviceFile(nic.name(), "queues/rx-0/rps_cpus", maskOfAll(cpus)));
            }
        }
    }

    /** A CPU mask in hexadecimal: 32-bit words separated by commas. */
    static String maskOfAll(int cpus) {
        StringBuilder mask = new StringBuilder();
        int first = cpus % 32;
        if (first > 0) {
            mask.append(Long.toHexString((1L << first) - 1));
        }
        for (int word = 0; word < cpus / 32; word++) {
            mask.append(mask.length() == 0 ? "" : ",").append("ffffffff");
        }
        return mask.toString();
    }
}
