package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.app.doctor.host.ProcText;
import io.millrace.app.doctor.host.UdpSockets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What UDP counts for the whole host: buffer, memory, checksums, no port. */
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
        buffer(examination, sum(snmp, snmp6, "RcvbufErrors"));
        Long pages = ProcText.number(host.read("/proc/sys/net/ipv4/udp_mem").text());
        counter(
                examination,
                Diagnosis.UDP_MEMORY_ERRORS,
                sum(snmp, snmp6, "MemErrors"),
                "MemErrors",
                FindingSeverity.LOSES,
                pages == null
                        ? Remediation.advice("raise the memory limit of the container, or net.ipv4.udp_mem")
                        : UdpMemoryCheck.raise(2 * pages));
        counter(
                examination,
                Diagnosis.UDP_CHECKSUM_ERRORS,
                sum(snmp, snmp6, "InCsumErrors"),
                "InCsumErrors",
                FindingSeverity.LOSES,
                Remediation.advice("look for a bad cable, card or switch port, or a sender with a broken checksum:"
                        + " tcpdump -vv shows 'bad udp cksum'"));
        counter(
                examination,
                Diagnosis.UDP_NO_PORT,
                sum(snmp, snmp6, "NoPorts"),
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
                        : "see receive-buffer; while the service runs, socket-drops tells what of it is its own");
        counter(examination, Diagnosis.UDP_BUFFER_ERRORS, value, "RcvbufErrors", severity, remediation);
    }

    private static long ownDrops(Examination examination) {
        return examination.settings().collector().inputs().stream()
                .flatMap(it -> examination.sockets().on(it.address()).stream())
                .mapToLong(UdpSockets.Socket::drops)
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
            String seen =
                    Amounts.count(value, "datagram") + " of all programs, " + ProcText.sinceBoot(examination.host());
            examination.add(diagnosis, severity, seen, name + " in " + SOURCE, remediation);
        }
    }

    private static @Nullable Long sum(String snmp, @Nullable String snmp6, String name) {
        Long four = ProcText.snmp(snmp, "Udp", name);
        Long six = snmp6 == null ? null : ProcText.snmp6(snmp6, "Udp6" + name);
        List<Long> known = Stream.of(four, six).filter(Objects::nonNull).toList();
        return known.isEmpty()
                ? null
                : known.stream().mapToLong(Long::longValue).sum();
    }
}
