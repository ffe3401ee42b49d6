package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CONNTRACK;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.ProcText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Check of the connection tracking table. */
final class ConntrackCheck {
    private static final String LIMITS = "/proc/sys/net/netfilter/nf_conntrack_";
    private static final String STATISTICS = "/proc/net/stat/nf_conntrack";
    private static final String KEY = "net.netfilter.nf_conntrack_max";
    private static final int FULL_PERCENT = 95;
    private static final int CROWDED_PERCENT = 75;

    private ConntrackCheck() {}

    static void look(Examination examination) {
        if (examination.host().read(LIMITS + "max").missing()) {
            examination.ok(CONNTRACK, "nf_conntrack is not loaded", LIMITS + "max");
            return;
        }
        Long most = examination.number(CONNTRACK, LIMITS + "max");
        Long count = most == null ? null : examination.number(CONNTRACK, LIMITS + "count");
        if (most == null || count == null) {
            return;
        }
        String statistics = examination.text(STATISTICS);
        long drops = sum(statistics, "drop");
        long evicted = sum(statistics, "early_drop");
        String seen = Amounts.count(count) + " of " + Amounts.count(most) + " entries"
                + (statistics == null
                        ? "; drops cannot be read"
                        : ", " + Amounts.count(drops, "datagram") + " dropped, " + Amounts.count(evicted)
                                + " entries thrown out for others");
        String source = LIMITS + "count, " + LIMITS + "max, " + STATISTICS;
        long percent = most == 0 ? 0 : 100 * count / most;
        FindingSeverity severity = drops > 0 || percent >= FULL_PERCENT
                ? FindingSeverity.LOSES
                : evicted > 0 || percent >= CROWDED_PERCENT ? FindingSeverity.RISK : FindingSeverity.OK;
        String unused = severity == FindingSeverity.OK && count == 0 ? "loaded, and tracks nothing here: " : "";
        examination.add(CONNTRACK, severity, unused + seen, source, remediation(examination, most));
    }

    private static Remediation remediation(Examination examination, long most) {
        String ports = examination.settings().collector().inputs().stream()
                .map(it -> String.valueOf(it.address().getPort()))
                .distinct()
                .collect(Collectors.joining(", "));
        return Remediation.sysctl(KEY, 4 * most)
                .with("better: do not track these ports at all, if no rule of the firewall needs it: nft add table inet"
                        + " millrace; nft 'add chain inet millrace raw { type filter hook prerouting priority raw; }'; nft"
                        + " 'add rule inet millrace raw udp dport { " + ports + " } notrack'. sysctl.d is read before"
                        + " nf_conntrack is loaded, unless it stands in /etc/modules-load.d");
    }

    /** The sum of a column over all CPUs: names in the first line, hexadecimal values in the others. */
    private static long sum(@Nullable String text, String name) {
        List<String> lines = text == null ? List.of() : text.lines().toList();
        int column = lines.isEmpty()
                ? -1
                : Arrays.asList(ProcText.words(lines.get(0))).indexOf(name);
        return column < 0
                ? 0
                : lines.stream()
                        .skip(1)
                        .map(ProcText::words)
                        .filter(it -> it.length > column && it[column].matches("[0-9a-f]{1,15}"))
                        .mapToLong(it -> Long.parseLong(it[column], 16))
                        .sum();
    }
}
