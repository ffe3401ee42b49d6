package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.SOFTNET_BACKLOG;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.ProcText;
import java.util.List;

/** Check of the length of the CPUs' backlog queues. */
final class BacklogCheck {
    private static final String KEY = "net.core.netdev_max_backlog";
    private static final String PATH = "/proc/sys/net/core/netdev_max_backlog";
    private static final long USUAL = 1000;
    private static final double SHORT_MS = 10;
    private static final int RAISED_PER_SECOND = 20;

    private BacklogCheck() {}

    static void look(Examination examination) {
        Long backlog = examination.number(SOFTNET_BACKLOG, PATH);
        if (backlog == null) {
            return;
        }
        List<String> through = examination.interfaces().nics().stream()
                .filter(it -> (!it.hardware() && !it.stacked())
                        || !RpsCheck.steering(examination.host(), it).isEmpty())
                .map(Interfaces.Nic::name)
                .toList();
        double millis = 1000.0 * backlog / examination.settings().rate();
        String seen = Amounts.count(backlog, "packet") + " per CPU, " + Amounts.millis(millis) + " of "
                + examination.settings().rateText();
        if (through.isEmpty()) {
            examination.ok(SOFTNET_BACKLOG, "no interface puts packets into a backlog; it holds " + seen, KEY);
        } else if (millis >= SHORT_MS) {
            examination.ok(SOFTNET_BACKLOG, seen + "; used by " + String.join(", ", through), KEY);
        } else {
            examination.add(
                    SOFTNET_BACKLOG,
                    FindingSeverity.RISK,
                    seen + "; used by " + String.join(", ", through),
                    KEY,
                    raise(examination));
        }
    }

    /** Four times the length, or 50 ms of the rate. */
    static Remediation raise(Examination examination) {
        Long backlog = ProcText.number(examination.host().read(PATH).text());
        return Remediation.sysctl(
                KEY,
                Math.max(
                        4 * (backlog == null ? USUAL : backlog),
                        examination.settings().rate() / RAISED_PER_SECOND));
    }
}
