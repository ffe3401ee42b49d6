package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.SOFTNET_DROPS;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_FLOW_LIMIT;
import static io.millrace.app.doctor.Diagnosis.SOFTNET_SQUEEZES;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.app.doctor.host.ProcText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** What each CPU's receive softirq counts. */
final class SoftnetCheck {
    private static final String PATH = "/proc/net/softnet_stat";
    private static final String INTERFACES = "/sys/class/net/";
    private static final String BUDGET = "net.core.netdev_budget";
    private static final String BUDGET_USECS = "net.core.netdev_budget_usecs";
    private static final long USUAL_BUDGET = 300;
    private static final long USUAL_USECS = 2000;
    private static final int COLUMN_FLOW_LIMIT = 10;
    private static final int COLUMN_PROCESSOR = 12;

    private SoftnetCheck() {}

    /** A CPU's line. */
    private record Line(long cpu, long packets, long drops, long squeezes, long flowLimit) {}

    static void look(Examination examination) {
        String text = examination.file(SOFTNET_DROPS, PATH);
        if (text == null) {
            return;
        }
        List<Line> lines = new ArrayList<>();
        for (String line : text.lines().toList()) {
            Line parsed = parse(ProcText.words(line), lines.size());
            if (parsed == null) {
                examination.unavailable(SOFTNET_DROPS, "", "a line of another form: " + line, PATH);
                return;
            }
            lines.add(parsed);
        }
        // Of 32 bits, and so back at 0 after a few billion; those of the interfaces have 64.
        long packets = Math.max(lines.stream().mapToLong(Line::packets).sum(), ofInterfaces(examination.host()));
        drops(examination, lines, packets);
        squeezes(examination, lines, packets);
        flowLimit(examination, lines);
    }

    /** Hexadecimal numbers; old kernels have fewer columns, and their lines are in the order of the CPUs. */
    private static @Nullable Line parse(String[] columns, int number) {
        if (columns.length < 3) {
            return null;
        }
        try {
            return new Line(
                    columns.length > COLUMN_PROCESSOR ? Long.parseLong(columns[COLUMN_PROCESSOR], 16) : number,
                    Long.parseLong(columns[0], 16),
                    Long.parseLong(columns[1], 16),
                    Long.parseLong(columns[2], 16),
                    columns.length > COLUMN_FLOW_LIMIT ? Long.parseLong(columns[COLUMN_FLOW_LIMIT], 16) : 0);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static long ofInterfaces(Host host) {
        return host.list(INTERFACES).stream()
                .map(it -> ProcText.number(
                        host.read(INTERFACES + it + "/statistics/rx_packets").text()))
                .mapToLong(it -> it == null ? 0 : it)
                .sum();
    }

    private static void drops(Examination examination, List<Line> lines, long packets) {
        long drops = lines.stream().mapToLong(Line::drops).sum();
        if (drops == 0) {
            examination.ok(SOFTNET_DROPS, "none of " + Amounts.count(packets) + " packets dropped", PATH);
            return;
        }
        examination.add(
                SOFTNET_DROPS,
                FindingSeverity.LOSES,
                Amounts.count(drops) + " of " + Amounts.count(packets) + " packets dropped, "
                        + ProcText.sinceBoot(examination.host()) + byProcessor(lines, Line::drops),
                PATH,
                BacklogCheck.raise(examination));
    }

    /** A squeeze is a round that used up its budget: that many packets at most. Seldom ones are bursts, and normal. */
    private static void squeezes(Examination examination, List<Line> lines, long packets) {
        long squeezes = lines.stream().mapToLong(Line::squeezes).sum();
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
                seen + byProcessor(lines, Line::squeezes),
                PATH,
                Remediation.sysctl(BUDGET, 2 * budget).and(Remediation.sysctl(BUDGET_USECS, 2 * usecs)));
    }

    private static long setting(Host host, String path, long usual) {
        Long value = ProcText.number(host.read(path).text());
        return value == null ? usual : value;
    }

    private static void flowLimit(Examination examination, List<Line> lines) {
        long dropped = lines.stream().mapToLong(Line::flowLimit).sum();
        if (dropped == 0) {
            examination.ok(SOFTNET_FLOW_LIMIT, "it dropped nothing", PATH);
            return;
        }
        examination.add(
                SOFTNET_FLOW_LIMIT,
                FindingSeverity.LOSES,
                Amounts.count(dropped, "packet") + " of heavy flows dropped" + byProcessor(lines, Line::flowLimit),
                PATH,
                Remediation.sysctl("net.core.flow_limit_cpu_bitmap", 0));
    }

    private static String byProcessor(List<Line> lines, ToLongFunction<Line> value) {
        List<String> parts = lines.stream()
                .filter(it -> value.applyAsLong(it) > 0)
                .map(it -> "CPU " + it.cpu() + ": " + Amounts.count(value.applyAsLong(it)))
                .limit(4)
                .toList();
        return " (" + String.join(", ", parts) + (parts.size() == 4 ? ", …)" : ")");
    }
}
