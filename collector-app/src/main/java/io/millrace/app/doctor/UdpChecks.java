package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.IP_REASSEMBLY;
import static io.millrace.app.doctor.Diagnosis.RECEIVE_BUFFER;
import static io.millrace.app.doctor.Diagnosis.UDP_BUFFER_ERRORS;
import static io.millrace.app.doctor.Diagnosis.UDP_CHECKSUM_ERRORS;
import static io.millrace.app.doctor.Diagnosis.UDP_MEMORY;
import static io.millrace.app.doctor.Diagnosis.UDP_MEMORY_ERRORS;
import static io.millrace.app.doctor.Diagnosis.UDP_NO_PORT;
import static io.millrace.app.doctor.FindingSeverity.LOSES;
import static io.millrace.app.doctor.FindingSeverity.NOTE;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.linux.UdpSocketLine;
import io.millrace.internal.text.ByteSize;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks of the memory that the kernel grants UDP sockets, and of its error counters of UDP and IP. */
final class UdpChecks {
    /**
     * The memory that the kernel charges for a datagram of up to about 200 bytes if the driver copies it to a buffer of
     * its size.
     */
    private static final int SMALL_CHARGE = 768;

    /** The memory charged for a full MTU, and for any datagram if the driver uses half a page per packet. */
    private static final int MTU_CHARGE = 2304;

    private static final double SHORT_MS = 10;
    private static final double ENOUGH_MS = 50;
    private static final String BUFFER_KEY = "net.core.rmem_max";
    private static final String MEMORY_KEY = "net.ipv4.udp_mem";
    private static final long USUAL_PAGE = 4096;
    private static final String SNMP = "/proc/net/snmp";
    private static final String BOTH = "/proc/net/snmp, /proc/net/snmp6";

    private UdpChecks() {}

    /** The buffer that the kernel grants or would grant: half of its count, because it doubles the request. */
    static @Nullable Long granted(Examination examination) {
        DoctorSettings settings = examination.settings();
        long asked = settings.collector().get(CollectorSettings.RECEIVE_BUFFER);
        if (settings.grantedReceiveBuffer() != null) {
            return Long.valueOf(settings.grantedReceiveBuffer());
        }
        Long most = examination.sysctl(BUFFER_KEY);
        if (most == null) {
            return null;
        }
        return most >= asked || (examination.process().running() && mayForce(examination)) ? asked : most;
    }

    private static boolean mayForce(Examination examination) {
        String transport = examination.settings().collector().get(CollectorSettings.TRANSPORT);
        return !transport.equals("nio")
                && Boolean.TRUE.equals(examination.process().has(examination.host(), ServiceProcess.CAP_NET_ADMIN));
    }

    /** The time that a socket's buffer lasts at the rate. */
    static void receiveBuffer(Examination examination) {
        Long granted = granted(examination);
        if (granted == null) {
            var unused = examination.number(RECEIVE_BUFFER, Examination.path(BUFFER_KEY));
            return;
        }
        DoctorSettings settings = examination.settings();
        long asked = settings.collector().get(CollectorSettings.RECEIVE_BUFFER);
        double small = millis(granted, SMALL_CHARGE, settings.rate());
        double large = millis(granted, MTU_CHARGE, settings.rate());
        String seen = String.format(
                Locale.ROOT,
                "asked for %s a socket, granted %s: %s of %s, if each is charged with %d bytes (small ones), %s with %d (those of"
                        + " an MTU)",
                ByteSize.text(asked),
                ByteSize.text(granted),
                Amounts.millis(small),
                settings.rateText(),
                SMALL_CHARGE,
                Amounts.millis(large),
                MTU_CHARGE);
        if (granted >= asked) {
            examination.add(RECEIVE_BUFFER, large < ENOUGH_MS ? RISK : OK, seen, BUFFER_KEY, longer(examination));
            return;
        }
        if (!examination.process().running() && mayForce(examination)) {
            seen += "; this process has CAP_NET_ADMIN and would get all, the service's user may not";
        }
        FindingSeverity severity = settings.rateGiven() && small < SHORT_MS ? LOSES : RISK;
        examination.add(RECEIVE_BUFFER, severity, seen, BUFFER_KEY, Remediation.sysctl(BUFFER_KEY, asked));
    }

    private static double millis(long granted, int charge, long rate) {
        long datagrams = 2 * granted / charge;
        return 1000.0 * datagrams / rate;
    }

    /** Twice the required size in whole MiB, at most 1 GiB, and the limit that the kernel needs for it. */
    private static Remediation longer(Examination examination) {
        long twice = (long) (2 * ENOUGH_MS / 1000 * examination.settings().rate() * MTU_CHARGE / 2);
        long bytes = Math.min(1L << 30, (twice + (1 << 20) - 1) >> 20 << 20);
        String advice = "receive.receiveBuffer: " + (bytes >> 20) + "M";
        Long most = examination.sysctl(BUFFER_KEY);
        return most == null || most >= bytes
                ? Remediation.advice(advice)
                : Remediation.sysctl(BUFFER_KEY, bytes).with(advice);
    }

    /** The kernel's memory limit for all UDP sockets. */
    static void memory(Examination examination) {
        String path = Examination.path(MEMORY_KEY);
        String text = examination.file(UDP_MEMORY, path);
        Long granted = granted(examination);
        if (text == null) {
            return;
        }
        String[] values = ProcText.words(text);
        Long first = ProcText.number(values[0]);
        if (values.length != 3 || first == null || granted == null) {
            String why =
                    granted == null ? "the receive buffer is not known" : "no three numbers: " + ProcText.oneLine(text);
            examination.unavailable(UDP_MEMORY, "", why, path);
            return;
        }
        int sockets = examination.settings().sockets();
        long need = 2 * granted * sockets;
        Long bytes =
                ProcText.number(examination.host().run("getconf", "PAGESIZE").text());
        long page = bytes == null ? USUAL_PAGE : bytes;
        String seen = String.format(
                "%s pages of %s: %s for all UDP sockets; %s of the configuration can take %s",
                values[0],
                ByteSize.text(page),
                ByteSize.text(first * page),
                Amounts.count(sockets, "socket"),
                ByteSize.text(need));
        examination.add(UDP_MEMORY, need <= first * page ? OK : RISK, seen, MEMORY_KEY, raise(need / page * 5 / 4));
    }

    /** All three values, because the kernel expects them to be in order. */
    private static Remediation raise(long pages) {
        return Remediation.sysctl(MEMORY_KEY, pages + " " + pages * 4 / 3 + " " + pages * 2)
                .with(
                        "this is memory of the kernel, taken only as datagrams wait; or take a smaller receive.receiveBuffer");
    }

    /** The host's error counters: buffer, memory, checksum, no port. */
    static void errors(Examination examination) {
        Map<String, Long> sums = sums(examination, UDP_BUFFER_ERRORS);
        if (sums == null) {
            return;
        }
        boolean running = examination.process().running();
        long own = examination.settings().collector().inputs().stream()
                .flatMap(it -> examination.sockets().on(it.address()).stream())
                .mapToLong(UdpSocketLine::drops)
                .sum();
        error(
                examination,
                UDP_BUFFER_ERRORS,
                "RcvbufErrors",
                sums,
                running && own == 0 ? NOTE : LOSES,
                Remediation.advice(
                        running
                                ? "the service's sockets dropped " + Amounts.count(own) + ": see socket-drops"
                                : "see receive-buffer; while the service runs, socket-drops shows its part"));
        Long pages = examination.sysctl(MEMORY_KEY);
        Remediation memory = pages == null
                ? Remediation.advice("raise the memory limit of the container, or net.ipv4.udp_mem")
                : raise(2 * pages);
        error(examination, UDP_MEMORY_ERRORS, "MemErrors", sums, LOSES, memory);
        Remediation checksum = Remediation.advice("look for a bad cable, card or switch port, or a sender with a broken"
                + " checksum: tcpdump -vv shows 'bad udp cksum'");
        error(examination, UDP_CHECKSUM_ERRORS, "InCsumErrors", sums, LOSES, checksum);
        Remediation port = Remediation.advice("stop the senders before the service");
        error(examination, UDP_NO_PORT, "NoPorts", sums, NOTE, port);
    }

    private static @Nullable Map<String, Long> sums(Examination examination, Diagnosis diagnosis) {
        String snmp = examination.file(diagnosis, SNMP);
        String snmp6 = examination.text("/proc/net/snmp6");
        return snmp == null ? null : NetSnmp.sums(snmp, snmp6 == null ? "" : snmp6);
    }

    private static void error(
            Examination examination,
            Diagnosis diagnosis,
            String name,
            Map<String, Long> sums,
            FindingSeverity severity,
            Remediation remediation) {
        Long value = sums.get("Udp " + name);
        if (value == null) {
            // Kernels before 5.10 have no MemErrors.
            examination.unavailable(diagnosis, "", "this kernel does not count " + name, BOTH);
        } else if (value == 0) {
            examination.ok(diagnosis, name + " is 0", BOTH);
        } else {
            String seen = Amounts.count(value, "datagram") + " of all programs, " + examination.sinceBoot();
            examination.add(diagnosis, severity, seen, name + " in " + BOTH, remediation);
        }
    }

    /** Fragmented datagrams that were not reassembled. */
    static void reassembly(Examination examination) {
        Map<String, Long> sums = sums(examination, IP_REASSEMBLY);
        Long fails = sums == null ? null : sums.get("Ip ReasmFails");
        if (sums == null) {
            return;
        } else if (fails == null) {
            examination.unavailable(IP_REASSEMBLY, "", "there is no ReasmFails", SNMP);
            return;
        } else if (fails == 0) {
            examination.ok(IP_REASSEMBLY, "ReasmFails is 0", BOTH);
            return;
        }
        long timeouts = sums.getOrDefault("Ip ReasmTimeout", 0L);
        String seen = Amounts.count(fails, "failure") + " of all protocols, " + examination.sinceBoot() + "; "
                + Amounts.count(timeouts) + " of them because fragments did not come in time";
        Remediation remediation = Remediation.advice("have senders stay below the MTU");
        if (timeouts < fails) {
            remediation = doubled(examination, "net.ipv4.ipfrag_high_thresh")
                    .and(doubled(examination, "net.ipv6.ip6frag_high_thresh"))
                    .and(remediation);
        }
        examination.add(IP_REASSEMBLY, LOSES, seen, "ReasmFails in " + BOTH, remediation);
    }

    private static Remediation doubled(Examination examination, String key) {
        Long value = examination.sysctl(key);
        return value == null ? Remediation.NONE : Remediation.sysctl(key, 2 * value);
    }
}
