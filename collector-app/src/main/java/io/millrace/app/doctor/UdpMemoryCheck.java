package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.UDP_MEMORY;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;

/** Check of the kernel's memory limit for all UDP sockets. */
final class UdpMemoryCheck {
    private static final String KEY = "net.ipv4.udp_mem";
    private static final String PATH = "/proc/sys/net/ipv4/udp_mem";
    private static final long USUAL_PAGE = 4096;

    private UdpMemoryCheck() {}

    static void look(Examination examination) {
        String text = examination.file(UDP_MEMORY, PATH);
        Long granted = ReceiveBufferCheck.granted(examination);
        if (text == null) {
            return;
        }
        String[] values = ProcText.words(text);
        Long first = ProcText.number(values[0]);
        if (values.length != 3 || first == null || granted == null) {
            examination.unavailable(
                    UDP_MEMORY,
                    "",
                    granted == null ? "the receive buffer is not known" : "no three numbers: " + ProcText.oneLine(text),
                    PATH);
            return;
        }
        int sockets = examination.settings().sockets();
        long need = 2 * granted * sockets;
        long page = pageBytes(examination.host());
        String seen = String.format(
                "%s pages of %s: %s for all UDP sockets; %s of the configuration can take %s",
                values[0],
                ByteSize.text(page),
                ByteSize.text(first * page),
                Amounts.count(sockets, "socket"),
                ByteSize.text(need));
        if (need <= first * page) {
            examination.ok(UDP_MEMORY, seen, KEY);
        } else {
            examination.add(UDP_MEMORY, FindingSeverity.RISK, seen, KEY, raise(need / page * 5 / 4));
        }
    }

    /** All three values, because the kernel expects them to be in order. */
    static Remediation raise(long pages) {
        return Remediation.sysctl(KEY, pages + " " + pages * 4 / 3 + " " + pages * 2)
                .with(
                        "this is memory of the kernel, taken only as datagrams wait; or take a smaller receive.receiveBuffer");
    }

    private static long pageBytes(Host host) {
        Long bytes = ProcText.number(host.run("getconf", "PAGESIZE").text());
        return bytes == null ? USUAL_PAGE : bytes;
    }
}
