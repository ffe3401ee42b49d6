package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.NIC_NUMA;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Host;
import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Pinning;
import io.millrace.internal.linux.ProcText;

/** Check whether receivers run on the card's NUMA node. */
final class NumaCheck {
    private static final String NODES = "/sys/devices/system/node/";

    private NumaCheck() {}

    static void look(Examination examination) {
        Host host = examination.host();
        int nodes = Math.max(1, ProcText.countOfList(host.read(NODES + "online").text()));
        for (Nic nic : examination.interfaces().hardware()) {
            String path = nic.path("device/numa_node");
            Long node = ProcText.number(host.read(path).text());
            if (node == null) {
                node = ProcText.number(
                        host.read(nic.path("device/../numa_node")).text());
            }
            if (nodes == 1 || node == null || node < 0) {
                examination.ok(
                        NIC_NUMA,
                        nic.name(),
                        nodes == 1 ? "the host has one node" : "the card is on no node in particular",
                        nodes == 1 ? NODES + "online" : path);
                continue;
            }
            String cpus = host.read(NODES + "node" + node + "/cpulist").text();
            Pinning pinning = examination.settings().collector().get(CollectorSettings.RECEIVER_CPUS);
            if (cpus == null) {
                examination.unavailable(NIC_NUMA, nic.name(), "the CPUs of its node cannot be read", NODES);
            } else if (!pinning.cpus().isEmpty()
                    && Pinning.parse(cpus.strip()).cpus().containsAll(pinning.cpus())) {
                examination.ok(NIC_NUMA, nic.name(), "receivers are bound to node " + node, path);
            } else {
                examination.add(
                        NIC_NUMA,
                        FindingSeverity.NOTE,
                        nic.name(),
                        "the card is on node " + node + " of " + nodes + ", and receivers are not bound to it",
                        path,
                        Remediation.advice("receive.receiverCpus: " + cpus.strip()));
            }
        }
    }
}
