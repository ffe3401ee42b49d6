package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.TCP_BACKLOG;
import static io.millrace.app.doctor.Diagnosis.TCP_LISTEN_DROPS;
import static io.millrace.app.doctor.Diagnosis.TCP_MEMORY;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.transport.stream.StreamListeners;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks of the host's limits for TCP, if an input listens on TCP or TLS. */
final class TcpCheck {
    private static final String ACCEPT_KEY = "net.core.somaxconn";
    private static final String ACCEPT = "/proc/sys/net/core/somaxconn";
    private static final String HANDSHAKES_KEY = "net.ipv4.tcp_max_syn_backlog";
    private static final String HANDSHAKES = "/proc/sys/net/ipv4/tcp_max_syn_backlog";
    private static final int MIN_HANDSHAKES = 1024;
    private static final String NETSTAT = "/proc/net/netstat";
    private static final String MEMORY_KEY = "net.ipv4.tcp_mem";
    private static final String MEMORY = "/proc/sys/net/ipv4/tcp_mem";
    private static final String SOCKSTAT = "/proc/net/sockstat";
    private static final Pattern USED_PAGES = Pattern.compile("(?m)^TCP: .*\\bmem (\\d{1,12})");
    private static final int CROWDED_PERCENT = 75;

    private TcpCheck() {}

    static void look(Examination examination) {
        if (examination.settings().collector().streams().stream()
                .anyMatch(input -> input.endpoint().address() != null)) {
            backlog(examination, ACCEPT, ACCEPT_KEY, StreamListeners.BACKLOG, "connections that wait to be accepted");
            backlog(examination, HANDSHAKES, HANDSHAKES_KEY, MIN_HANDSHAKES, "connections in their handshake");
            listenDrops(examination);
            memory(examination);
        }
    }

    private static void backlog(Examination examination, String path, String key, int wanted, String what) {
        Long limit = examination.number(TCP_BACKLOG, path);
        if (limit == null) {
            return;
        }
        String seen = Amounts.count(limit) + " " + what;
        if (limit >= wanted) {
            examination.ok(TCP_BACKLOG, key, seen, key);
        } else {
            examination.add(TCP_BACKLOG, FindingSeverity.RISK, key, seen, key, Remediation.sysctl(key, wanted));
        }
    }

    private static void listenDrops(Examination examination) {
        String netstat = examination.file(TCP_LISTEN_DROPS, NETSTAT);
        if (netstat == null) {
            return;
        }
        Map<String, Long> sums = NetSnmp.sums(netstat, "");
        long overflows = sums.getOrDefault("TcpExt ListenOverflows", 0L);
        long drops = sums.getOrDefault("TcpExt ListenDrops", 0L);
        if (overflows == 0 && drops == 0) {
            examination.ok(TCP_LISTEN_DROPS, "ListenOverflows and ListenDrops are 0", NETSTAT);
            return;
        }
        examination.add(
                TCP_LISTEN_DROPS,
                FindingSeverity.NOTE,
                Amounts.count(drops, "attempt") + " to connect dropped, " + Amounts.count(overflows)
                        + " of them because the queue was full, of all programs, " + examination.sinceBoot(),
                "ListenDrops, ListenOverflows in " + NETSTAT,
                Remediation.advice(
                        "see tcp-backlog; many senders that connect at once need a longer queue, or more receivers"));
    }

    private static void memory(Examination examination) {
        String limits = examination.file(TCP_MEMORY, MEMORY);
        String sockets = limits == null ? null : examination.file(TCP_MEMORY, SOCKSTAT);
        if (limits == null || sockets == null) {
            return;
        }
        String[] values = ProcText.words(limits);
        Long pressure = values.length == 3 ? ProcText.number(values[1]) : null;
        Matcher used = USED_PAGES.matcher(sockets);
        if (pressure == null || !used.find()) {
            examination.unavailable(TCP_MEMORY, "", "its form is not understood", MEMORY + ", " + SOCKSTAT);
            return;
        }
        long pages = Long.parseLong(used.group(1));
        String seen = Amounts.count(pages, "page") + " in use by all TCP sockets; under pressure from "
                + Amounts.count(pressure);
        if (pages * 100 < pressure * CROWDED_PERCENT) {
            examination.ok(TCP_MEMORY, seen, MEMORY_KEY);
        } else {
            examination.add(
                    TCP_MEMORY,
                    FindingSeverity.RISK,
                    seen,
                    MEMORY_KEY,
                    Remediation.sysctl(MEMORY_KEY, pressure + " " + 2 * pressure + " " + 3 * pressure));
        }
    }
}
