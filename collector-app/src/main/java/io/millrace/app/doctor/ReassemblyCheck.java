package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.IP_REASSEMBLY;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.NetSnmp;
import io.millrace.internal.linux.ProcText;
import java.util.Map;

/** Check of fragmented datagrams that were not reassembled. */
final class ReassemblyCheck {
    private static final String SNMP = "/proc/net/snmp";
    private static final String SNMP6 = "/proc/net/snmp6";
    private static final String KEY = "net.ipv4.ipfrag_high_thresh";
    private static final String KEY6 = "net.ipv6.ip6frag_high_thresh";

    private ReassemblyCheck() {}

    static void look(Examination examination) {
        Host host = examination.host();
        String snmp = examination.file(IP_REASSEMBLY, SNMP);
        if (snmp == null) {
            return;
        }
        String snmp6 = host.read(SNMP6).text();
        Map<String, Long> sums = NetSnmp.sums(snmp, snmp6 == null ? "" : snmp6);
        Long fails = sums.get("Ip ReasmFails");
        if (fails == null) {
            examination.unavailable(IP_REASSEMBLY, "", "there is no ReasmFails", SNMP);
            return;
        }
        long timeouts = sums.getOrDefault("Ip ReasmTimeout", 0L);
        if (fails == 0) {
            examination.ok(IP_REASSEMBLY, "ReasmFails is 0", SNMP + ", " + SNMP6);
            return;
        }
        String seen = Amounts.count(fails, "failure") + " of all protocols, " + examination.sinceBoot() + "; "
                + Amounts.count(timeouts) + " of them because fragments did not come in time";
        Remediation remediation = Remediation.advice("have senders stay below the MTU");
        if (timeouts < fails) {
            remediation = doubled(host, KEY, "/proc/sys/net/ipv4/ipfrag_high_thresh")
                    .and(doubled(host, KEY6, "/proc/sys/net/ipv6/ip6frag_high_thresh"))
                    .and(remediation);
        }
        examination.add(
                IP_REASSEMBLY, FindingSeverity.LOSES, seen, "ReasmFails in " + SNMP + ", " + SNMP6, remediation);
    }

    private static Remediation doubled(Host host, String key, String path) {
        Long value = ProcText.number(host.read(path).text());
        return value == null ? Remediation.NONE : Remediation.sysctl(key, 2 * value);
    }
}
