package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.SOFTNET_BACKLOG;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_DROPS;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_FLOW_LIMIT;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_SQUEEZES;
import static io.millrace.app.doctor.Diagnosis.TCP_BACKLOG;
import static io.millrace.app.doctor.Diagnosis.TCP_LISTEN_DROPS;
import static io.millrace.app.doctor.Diagnosis.TCP_MEMORY;
import static io.millrace.app.doctor.FindingSeverity.LOSES;
import static io.millrace.app.doctor.FindingSeverity.NOTE;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.linux.SoftnetStat;
import io.millrace.internal.transport.stream.StreamListeners;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks of the kernel's queues between card and socket, and of its limits for TCP. */
final class KernelChecks {
    private static final String BACKLOG = "net.core.netdev_max_backlog";
    private static final long USUAL_BACKLOG = 1000;
    private static final double SHORT_BACKLOG_MS = 10;
    private static final int RAISED_PER_SECOND = 20;
    private static final String SOFTNET = "/proc/net/softnet_stat";
    private static final String INTERFACES = "/sys/class/net/";
    private static final String BUDGET = "net.core.netdev_budget";
    private static final String BUDGET_USECS = "net.core.netdev_budget_usecs";
    private static final long USUAL_BUDGET = 300;
    private static final long USUAL_USECS = 2000;
    private static final int MIN_HANDSHAKES = 1024;
    private static final String NETSTAT = "/proc/net/netstat";
    private static final String TCP_MEMORY_KEY = "net.ipv4.tcp_mem";
    private static final String SOCKSTAT = "/proc/net/sockstat";
    private static final Pattern USED_PAGES = Pattern.compile("(?m)^TCP: .*\\bmem (\\d{1,12})");
    private static final int CROWDED_PERCENT = 75;

    private KernelChecks() {}

    /** The length of the CPUs' backlog queues. */
    static void backlog(Examination examination) {
        Long backlog = examination.number(SOFTNET_BACKLOG, Examination.path(BACKLOG));
        if (backlog == null) {
            return;
        }
        String through = examination.interfaces().nics().stream()
                .filter(it -> (!it.hardware() && !it.stacked())
                        || !NicChecks.steering(examination, it).isEmpty())
                .map(Interfaces.Nic::name)
                .collect(Collectors.joining(", "));
        double millis = 1000.0 * backlog / examination.settings().rate();
        String seen = Amounts.count(backlog, "packet") + " per CPU, " + Amounts.millis(millis) + " of "
                + examination.settings().rateText();
        if (through.isEmpty()) {
            examination.ok(SOFTNET_BACKLOG, "no interface puts packets into a backlog; it holds " + seen, BACKLOG);
        } else {
            FindingSeverity severity = millis >= SHORT_BACKLOG_MS ? OK : RISK;
            examination.add(SOFTNET_BACKLOG, severity, seen + "; used by " + through, BACKLOG, raise(examination));
        }
    }

    /** Four times the length, or 50 ms of the rate. */
    private static Remediation raise(Examination examination) {
        long fourfold = 4 * setting(examination, BACKLOG, USUAL_BACKLOG);
        return Remediation.sysctl(
                BACKLOG, Math.max(fourfold, examination.settings().rate() / RAISED_PER_SECOND));
    }

    private static long setting(Examination examination, String key, long usual) {
        Long value = examination.sysctl(key);
        return value == null ? usual : value;
    }

    /** The softirq counters of the CPUs. */
    static void softnet(Examination examination) {
        String text = examination.file(SOFTNET_DROPS, SOFTNET);
        if (text == null) {
            return;
        }
        List<SoftnetStat> lines;
        try {
            lines = SoftnetStat.parse(text);
        } catch (IllegalArgumentException e) {
            examination.unavailable(SOFTNET_DROPS, "", "a line of another form: " + e.getMessage(), SOFTNET);
            return;
        }
        // These counters have 32 bits and wrap; those of the interfaces have 64.
        long packets = Math.max(lines.stream().mapToLong(SoftnetStat::packets).sum(), ofInterfaces(examination));
        drops(examination, lines, packets);
        squeezes(examination, lines, packets);
        long limited = lines.stream().mapToLong(KernelChecks::flowLimited).sum();
        String seen = limited == 0
                ? "it dropped nothing"
                : Amounts.count(limited, "packet") + " of heavy flows dropped"
                        + byProcessor(lines, KernelChecks::flowLimited);
        Remediation off = Remediation.sysctl("net.core.flow_limit_cpu_bitmap", 0);
        examination.add(SOFTNET_FLOW_LIMIT, limited == 0 ? OK : LOSES, seen, SOFTNET, off);
    }

    private static long ofInterfaces(Examination examination) {
        return examination.host().list(INTERFACES).stream()
                .map(it -> examination.numberIn(INTERFACES + it + "/statistics/rx_packets"))
                .mapToLong(it -> it == null ? 0 : it)
                .sum();
    }

    private static void drops(Examination examination, List<SoftnetStat> lines, long packets) {
        long drops = lines.stream().mapToLong(SoftnetStat::drops).sum();
        String seen = " of " + Amounts.count(packets) + " packets dropped";
        if (drops == 0) {
            examination.ok(SOFTNET_DROPS, "none" + seen, SOFTNET);
        } else {
            seen = Amounts.count(drops) + seen + ", " + examination.sinceBoot()
                    + byProcessor(lines, SoftnetStat::drops);
            examination.add(SOFTNET_DROPS, LOSES, seen, SOFTNET, raise(examination));
        }
    }

    /** A squeeze is a round that used up its budget of packets. A few are normal in bursts. */
    private static void squeezes(Examination examination, List<SoftnetStat> lines, long packets) {
        long squeezes = lines.stream().mapToLong(SoftnetStat::squeezes).sum();
        long budget = setting(examination, BUDGET, USUAL_BUDGET);
        long usecs = setting(examination, BUDGET_USECS, USUAL_USECS);
        boolean rare = squeezes * budget * 100 <= packets;
        String seen = Amounts.count(squeezes, "time") + " in " + Amounts.count(packets) + " packets, with a budget of "
                + budget + " packets and " + usecs + " µs"
                + (rare ? "" : byProcessor(lines, SoftnetStat::squeezes));
        Remediation more = Remediation.sysctl(BUDGET, 2 * budget).and(Remediation.sysctl(BUDGET_USECS, 2 * usecs));
        examination.add(SOFTNET_SQUEEZES, rare ? OK : RISK, seen, SOFTNET, more);
    }

    private static long flowLimited(SoftnetStat line) {
        return line.flowLimit() == null ? 0 : line.flowLimit();
    }

    private static String byProcessor(List<SoftnetStat> lines, ToLongFunction<SoftnetStat> value) {
        List<String> parts = lines.stream()
                .filter(it -> value.applyAsLong(it) > 0)
                .map(it -> "CPU " + it.cpu() + ": " + Amounts.count(value.applyAsLong(it)))
                .limit(4)
                .toList();
        return " (" + String.join(", ", parts) + (parts.size() == 4 ? ", …)" : ")");
    }

    /** The limits for TCP, if an input listens on TCP or TLS. */
    static void tcp(Examination examination) {
        if (examination.settings().collector().streams().stream()
                .anyMatch(input -> input.endpoint().address() != null)) {
            tcpBacklog(
                    examination, "net.core.somaxconn", StreamListeners.BACKLOG, "connections that wait to be accepted");
            tcpBacklog(examination, "net.ipv4.tcp_max_syn_backlog", MIN_HANDSHAKES, "connections in their handshake");
            listenDrops(examination);
            tcpMemory(examination);
        }
    }

    private static void tcpBacklog(Examination examination, String key, int wanted, String what) {
        Long limit = examination.number(TCP_BACKLOG, Examination.path(key));
        if (limit != null) {
            FindingSeverity severity = limit >= wanted ? OK : RISK;
            String seen = Amounts.count(limit) + " " + what;
            examination.add(TCP_BACKLOG, severity, key, seen, key, Remediation.sysctl(key, wanted));
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
                NOTE,
                Amounts.count(drops, "attempt") + " to connect dropped, " + Amounts.count(overflows)
                        + " of them because the queue was full, of all programs, " + examination.sinceBoot(),
                "ListenDrops, ListenOverflows in " + NETSTAT,
                Remediation.advice(
                        "see tcp-backlog; many senders that connect at once need a longer queue, or more receivers"));
    }

    private static void tcpMemory(Examination examination) {
        String path = Examination.path(TCP_MEMORY_KEY);
        String limits = examination.file(TCP_MEMORY, path);
        String sockets = limits == null ? null : examination.file(TCP_MEMORY, SOCKSTAT);
        if (limits == null || sockets == null) {
            return;
        }
        String[] values = ProcText.words(limits);
        Long pressure = values.length == 3 ? ProcText.number(values[1]) : null;
        Matcher used = USED_PAGES.matcher(sockets);
        if (pressure == null || !used.find()) {
            examination.unavailable(TCP_MEMORY, "", "its form is not understood", path + ", " + SOCKSTAT);
            return;
        }
        long pages = Long.parseLong(used.group(1));
        String seen = Amounts.count(pages, "page") + " in use by all TCP sockets; under pressure from "
                + Amounts.count(pressure);
        FindingSeverity severity = pages * 100 < pressure * CROWDED_PERCENT ? OK : RISK;
        String raised = pressure + " " + 2 * pressure + " " + 3 * pressure;
        examination.add(TCP_MEMORY, severity, seen, TCP_MEMORY_KEY, Remediation.sysctl(TCP_MEMORY_KEY, raised));
    }
}
