package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.linux.UdpSocketLine;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Check of the host's UDP error counters: buffer, memory, checksum, no port. */
final class UdpErrorsCheck {
    private static final String SNMP = "/proc/net/snmp";
    private static final String SNMP6 = "/proc/net/snmp6";
    private static final String SOURCE = SNMP + ", " + SNMP6;

    private UdpErrorsCheck() {}

    static void look(Examination examination) {
        Host host = examination.host();
        String snmp = examination.file(Diagnosis.UDP_BUFFER_ERRORS, SNMP);
        if (snmp == null) {
            return;
        }
        String snmp6 = host.read(SNMP6).text();
        Map<String, Long> sums = NetSnmp.sums(snmp, snmp6 == null ? "" : snmp6);
        buffer(examination, sums.get("Udp RcvbufErrors"));
        Long pages = ProcText.number(host.read("/proc/sys/net/ipv4/udp_mem").text());
        counter(
                examination,
                Diagnosis.UDP_MEMORY_ERRORS,
                sums.get("Udp MemErrors"),
                "MemErrors",
                FindingSeverity.LOSES,
                pages == null
                        ? Remediation.advice("raise the memory limit of the container, or net.ipv4.udp_mem")
                        : UdpMemoryCheck.raise(2 * pages));
        counter(
                examination,
                Diagnosis.UDP_CHECKSUM_ERRORS,
                sums.get("Udp InCsumErrors"),
                "InCsumErrors",
                FindingSeverity.LOSES,
                Remediation.advice("look for a bad cable, card or switch port, or a sender with a broken checksum:"
                        + " tcpdump -vv shows 'bad udp cksum'"));
        counter(
                examination,
                Diagnosis.UDP_NO_PORT,
                sums.get("Udp NoPorts"),
                "NoPorts",
                FindingSeverity.NOTE,
                Remediation.advice("stop the senders before the service"));
    }

    private static void buffer(Examination examination, @Nullable Long value) {
        boolean running = examination.process().running();
        long own = ownDrops(examination);
        FindingSeverity severity = running && own == 0 ? FindingSeverity.NOTE : FindingSeverity.LOSES;
        Remediation remediation = Remediation.advice(
                running
                        ? "the service's sockets dropped " + Amounts.count(own) + ": see socket-drops"
                        : "see receive-buffer; while the service runs, socket-drops shows its part");
        counter(examination, Diagnosis.UDP_BUFFER_ERRORS, value, "RcvbufErrors", severity, remediation);
    }

    private static long ownDrops(Examination examination) {
        return examination.settings().collector().inputs().stream()
                .flatMap(it -> examination.sockets().on(it.address()).stream())
                .mapToLong(UdpSocketLine::drops)
                .sum();
    }

    private static void counter(
            Examination examination,
            Diagnosis diagnosis,
            @Nullable Long value,
            String name,
            FindingSeverity severity,
            Remediation remediation) {
        if (value == null) {
            // Kernels before 5.10 have no MemErrors.
            examination.unavailable(diagnosis, "", "this kernel does not count " + name, SOURCE);
        } else if (value == 0) {
            examination.ok(diagnosis, name + " is 0", SOURCE);
        } else {
            String seen = Amounts.count(value, "datagram") + " of all programs, " + examination.sinceBoot();
            examination.add(diagnosis, severity, seen, name + " in " + SOURCE, remediation);
        }
    }
}
