package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.SOFTNET_DROPS;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_FLOW_LIMIT;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_SQUEEZES;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.linux.SoftnetStat;
import java.util.List;
import java.util.function.ToLongFunction;

/** Check of the CPUs' softirq counters. */
final class SoftnetCheck {
    private static final String PATH = "/proc/net/softnet_stat";
    private static final String INTERFACES = "/sys/class/net/";
    private static final String BUDGET = "net.core.netdev_budget";
    private static final String BUDGET_USECS = "net.core.netdev_budget_usecs";
    private static final long USUAL_BUDGET = 300;
    private static final long USUAL_USECS = 2000;

    private SoftnetCheck() {}

    static void look(Examination examination) {
        String text = examination.file(SOFTNET_DROPS, PATH);
        if (text == null) {
            return;
        }
        List<SoftnetStat> lines;
        try {
            lines = SoftnetStat.parse(text);
        } catch (IllegalArgumentException e) {
            examination.unavailable(SOFTNET_DROPS, "", "a line of another form: " + e.getMessage(), PATH);
            return;
        }
        // These counters have 32 bits and wrap; those of the interfaces have 64.
        long packets = Math.max(lines.stream().mapToLong(SoftnetStat::packets).sum(), ofInterfaces(examination.host()));
        drops(examination, lines, packets);
        squeezes(examination, lines, packets);
        flowLimit(examination, lines);
    }

    private static long ofInterfaces(Host host) {
        return host.list(INTERFACES).stream()
                .map(it -> ProcText.number(
                        host.read(INTERFACES + it + "/statistics/rx_packets").text()))
                .mapToLong(it -> it == null ? 0 : it)
                .sum();
    }

    private static void drops(Examination examination, List<SoftnetStat> lines, long packets) {
        long drops = lines.stream().mapToLong(SoftnetStat::drops).sum();
        if (drops == 0) {
            examination.ok(SOFTNET_DROPS, "none of " + Amounts.count(packets) + " packets dropped", PATH);
            return;
        }
        examination.add(
                SOFTNET_DROPS,
                FindingSeverity.LOSES,
                Amounts.count(drops) + " of " + Amounts.count(packets) + " packets dropped, " + examination.sinceBoot()
                        + byProcessor(lines, SoftnetStat::drops),
                PATH,
                BacklogCheck.raise(examination));
    }

    /** A squeeze is a round that used up its budget of packets. A few are normal in bursts. */
    private static void squeezes(Examination examination, List<SoftnetStat> lines, long packets) {
        long squeezes = lines.stream().mapToLong(SoftnetStat::squeezes).sum();
        Host host = examination.host();
        long budget = setting(host, "/proc/sys/net/core/netdev_budget", USUAL_BUDGET);
        long usecs = setting(host, "/proc/sys/net/core/netdev_budget_usecs", USUAL_USECS);
        String seen = Amounts.count(squeezes, "time") + " in " + Amounts.count(packets) + " packets, with a budget of "
                + budget + " packets and " + usecs + " µs";
        if (squeezes * budget * 100 <= packets) {
            examination.ok(SOFTNET_SQUEEZES, seen, PATH);
            return;
        }
        examination.add(
                SOFTNET_SQUEEZES,
                FindingSeverity.RISK,
                seen + byProcessor(lines, SoftnetStat::squeezes),
                PATH,
                Remediation.sysctl(BUDGET, 2 * budget).and(Remediation.sysctl(BUDGET_USECS, 2 * usecs)));
    }

    private static long setting(Host host, String path, long usual) {
        Long value = ProcText.number(host.read(path).text());
        return value == null ? usual : value;
    }

    private static void flowLimit(Examination examination, List<SoftnetStat> lines) {
        long dropped = lines.stream().mapToLong(SoftnetCheck::flowLimited).sum();
        if (dropped == 0) {
            examination.ok(SOFTNET_FLOW_LIMIT, "it dropped nothing", PATH);
            return;
        }
        examination.add(
                SOFTNET_FLOW_LIMIT,
                FindingSeverity.LOSES,
                Amounts.count(dropped, "packet") + " of heavy flows dropped"
                        + byProcessor(lines, SoftnetCheck::flowLimited),
                PATH,
                Remediation.sysctl("net.core.flow_limit_cpu_bitmap", 0));
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
}
