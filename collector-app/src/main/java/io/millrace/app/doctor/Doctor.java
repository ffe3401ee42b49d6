package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Host;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The doctor: it examines a host for causes of datagram loss. Any thread; without state. */
public final class Doctor {
    private record Entry(Diagnosis about, Check check) {}

    private static final List<Entry> CHECKS = List.of(
            new Entry(Diagnosis.INTERFACES, Examination::interfaces),
            new Entry(Diagnosis.LISTEN_PORT, ListenPortCheck::look),
            new Entry(Diagnosis.RECEIVE_BUFFER, ReceiveBufferCheck::look),
            new Entry(Diagnosis.UDP_MEMORY, UdpMemoryCheck::look),
            new Entry(Diagnosis.UDP_BUFFER_ERRORS, UdpErrorsCheck::look),
            new Entry(Diagnosis.TCP_BACKLOG, TcpCheck::look),
            new Entry(Diagnosis.NIC_DROPS, NicDropsCheck::look),
            new Entry(Diagnosis.NIC_RING, RingCheck::look),
            new Entry(Diagnosis.NIC_QUEUES, QueuesCheck::look),
            new Entry(Diagnosis.NIC_RPS, RpsCheck::look),
            new Entry(Diagnosis.NIC_INTERRUPTS, InterruptsCheck::look),
            new Entry(Diagnosis.NIC_NUMA, NumaCheck::look),
            new Entry(Diagnosis.NIC_GRO, GroCheck::look),
            new Entry(Diagnosis.SOFTNET_DROPS, SoftnetCheck::look),
            new Entry(Diagnosis.SOFTNET_BACKLOG, BacklogCheck::look),
            new Entry(Diagnosis.IP_REASSEMBLY, ReassemblyCheck::look),
            new Entry(Diagnosis.CONNTRACK, ConntrackCheck::look),
            new Entry(Diagnosis.KERNEL_VERSION, KernelVersionCheck::look),
            new Entry(Diagnosis.DATA_FILE_SYSTEM, DataDirectoryCheck::look),
            new Entry(Diagnosis.DATA_SPEED, DiskSpeedCheck::look),
            new Entry(Diagnosis.MEMORY_LIMIT, MemoryLimitCheck::look),
            new Entry(Diagnosis.CPU_LIMIT, CpuLimitCheck::look),
            new Entry(Diagnosis.FILE_LIMIT, FileLimitCheck::look),
            new Entry(Diagnosis.SWAP, SwapCheck::look),
            new Entry(Diagnosis.CERTIFICATE, CertificateCheck::look),
            new Entry(Diagnosis.CLOCK, ClockCheck::look));

    private Doctor() {}

    /** All findings, the most severe first. */
    public static List<Finding> examine(Host host, DoctorSettings settings) {
        Examination examination = new Examination(host, settings);
        for (Entry entry : CHECKS) {
            try {
                entry.check().look(examination);
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
