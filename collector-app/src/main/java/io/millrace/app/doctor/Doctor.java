package io.millrace.app.doctor;

import io.millrace.app.doctor.Interfaces.Nic;
import io.millrace.app.doctor.host.Host;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The doctor: it examines a host for causes of datagram loss. Any thread; without state. */
public final class Doctor {
    private record Entry(Diagnosis about, Consumer<Examination> check) {}

    private static final List<Entry> CHECKS = List.of(
            new Entry(Diagnosis.INTERFACES, Examination::interfaces),
            new Entry(Diagnosis.LISTEN_PORT, ListenPortCheck::look),
            new Entry(Diagnosis.RECEIVE_BUFFER, UdpChecks::receiveBuffer),
            new Entry(Diagnosis.UDP_MEMORY, UdpChecks::memory),
            new Entry(Diagnosis.UDP_BUFFER_ERRORS, UdpChecks::errors),
            new Entry(Diagnosis.TCP_BACKLOG, KernelChecks::tcp),
            ofCards(Diagnosis.NIC_DROPS, NicChecks::drops),
            ofCards(Diagnosis.NIC_RING, NicChecks::ring),
            ofCards(Diagnosis.NIC_QUEUES, NicChecks::queues),
            ofCards(Diagnosis.NIC_RPS, NicChecks::steer),
            new Entry(Diagnosis.NIC_INTERRUPTS, InterruptsCheck::look),
            ofCards(Diagnosis.NIC_NUMA, NicChecks::numa),
            new Entry(Diagnosis.NIC_GRO, NicChecks::gro),
            new Entry(Diagnosis.SOFTNET_DROPS, KernelChecks::softnet),
            new Entry(Diagnosis.SOFTNET_BACKLOG, KernelChecks::backlog),
            new Entry(Diagnosis.IP_REASSEMBLY, UdpChecks::reassembly),
            new Entry(Diagnosis.CONNTRACK, ConntrackCheck::look),
            new Entry(Diagnosis.KERNEL_VERSION, HostChecks::kernelVersion),
            new Entry(Diagnosis.DATA_FILE_SYSTEM, HostChecks::dataDirectory),
            new Entry(Diagnosis.DATA_SPEED, HostChecks::diskSpeed),
            new Entry(Diagnosis.MEMORY_LIMIT, ProcessChecks::memory),
            new Entry(Diagnosis.CPU_LIMIT, ProcessChecks::cpu),
            new Entry(Diagnosis.FILE_LIMIT, ProcessChecks::files),
            new Entry(Diagnosis.SWAP, ProcessChecks::swap),
            new Entry(Diagnosis.CERTIFICATE, HostChecks::certificates),
            new Entry(Diagnosis.CLOCK, HostChecks::clock));

    private Doctor() {}

    private static Entry ofCards(Diagnosis about, BiConsumer<Examination, Nic> check) {
        return new Entry(about, it -> it.interfaces().hardware().forEach(nic -> check.accept(it, nic)));
    }

    /** All findings, the most severe first. */
    public static List<Finding> examine(Host host, DoctorSettings settings) {
        Examination examination = new Examination(host, settings);
        for (Entry entry : CHECKS) {
            try {
                entry.check().accept(examination);
            } catch (RuntimeException e) {
                // A file of unknown form must not prevent the other checks.
                examination.unavailable(entry.about(), "", "its form is not understood: " + e, "");
            }
        }
        examination.missingTools().forEach((tool, diagnoses) -> {
            String ids = diagnoses.stream().map(Diagnosis::id).collect(Collectors.joining(", "));
            String seen = tool + " is not installed; not checked: " + ids;
            examination.add(
                    Diagnosis.MISSING_TOOL,
                    FindingSeverity.UNAVAILABLE,
                    tool,
                    seen,
                    "PATH, /usr/sbin, /sbin",
                    Remediation.advice("install it with the system's package manager, and look again"));
        });
        return examination.findings().stream()
                .sorted(Comparator.comparing(Finding::severity).thenComparing(Finding::diagnosis))
                .toList();
    }

    public static long count(List<Finding> findings, FindingSeverity severity) {
        return findings.stream().filter(it -> it.severity() == severity).count();
    }
}
