package io.millrace.app.doctor;

import io.millrace.app.doctor.Remediation.DeviceFile;
import io.millrace.app.doctor.Remediation.Ethtool;
import io.millrace.app.doctor.Remediation.Interrupt;
import io.millrace.app.doctor.Remediation.Step;
import io.millrace.app.doctor.Remediation.Sysctl;
import io.millrace.internal.linux.ProcText;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Generator of a POSIX shell script that applies the remediations, now and at boot. */
public final class DoctorScript {
    static final String SYSCTL_FILE = "/etc/sysctl.d/90-millrace.conf";
    static final String RULES_FILE = "/etc/udev/rules.d/90-millrace.rules";

    private static final String HEAD = """
            #!/bin/sh
            # What 'millrace doctor --script' found to fix on this host. Read it, then run it as root.
            # It can be run again: a setting takes the place of an older one.
            set -eu
            """;

    private static final String NOTHING = """

            echo 'millrace doctor: nothing to fix'
            """;

    private static final String ROOT = """

            if [ "$(id -u)" -ne 0 ]; then
              echo 'millrace doctor: run this as root' >&2
              exit 1
            fi
            """;

    private static final String SYSCTL = """

            # setting KEY VALUE: in effect now, and after a boot.
            setting() {
              sysctl -w "$1=$2"
              mkdir -p %2$s
              touch %1$s
              grep -v "^$1 *=" %1$s >%1$s.new || true
              echo "$1 = $2" >>%1$s.new
              mv %1$s.new %1$s
            }
            """.formatted(SYSCTL_FILE, "/etc/sysctl.d");

    private static final String RULE = """

            # rule LINE: what udev does when the interface comes, after a boot.
            rule() {
              mkdir -p %2$s
              touch %1$s
              grep -qxF "$1" %1$s || echo "$1" >>%1$s
            }
            """.formatted(RULES_FILE, "/etc/udev/rules.d");

    private final StringBuilder out = new StringBuilder(HEAD);
    private final Set<String> said = new HashSet<>();

    private DoctorScript() {}

    /** Creates the script. It fixes losses and risks; notes are not changed. */
    public static String of(List<Finding> findings) {
        List<Finding> fixed = findings.stream()
                .filter(it -> it.severity() == FindingSeverity.LOSES || it.severity() == FindingSeverity.RISK)
                .toList();
        DoctorScript script = new DoctorScript();
        List<Step> steps =
                fixed.stream().flatMap(it -> it.remediation().steps().stream()).toList();
        if (!steps.isEmpty()) {
            script.out.append(ROOT);
            script.out.append(steps.stream().anyMatch(Sysctl.class::isInstance) ? SYSCTL : "");
            script.out.append(
                    steps.stream().anyMatch(it -> it instanceof Ethtool || it instanceof DeviceFile) ? RULE : "");
        }
        fixed.forEach(script::finding);
        if (steps.isEmpty()) {
            script.out.append(NOTHING);
        }
        return script.out.toString();
    }

    private void finding(Finding finding) {
        out.append('\n');
        comment(finding.severity().text() + ": " + finding.name() + ": " + finding.seen());
        comment(finding.diagnosis().why());
        if (!finding.remediation().advice().isEmpty()) {
            comment("By hand or to know: " + finding.remediation().advice());
        }
        finding.remediation().steps().forEach(this::step);
    }

    private void step(Step step) {
        if (step instanceof Sysctl sysctl) {
            command("setting " + sysctl.key() + " " + Remediation.quote(sysctl.value()));
        } else if (step instanceof Ethtool ethtool) {
            command(ethtool.command());
            command("rule " + Remediation.quote(ethtool.rule()));
        } else if (step instanceof DeviceFile file) {
            command("echo " + Remediation.quote(file.value()) + " >" + Remediation.quote(file.path()));
            command("rule " + Remediation.quote(file.rule()));
        } else if (step instanceof Interrupt interrupt) {
            command("echo " + interrupt.cpu() + " >" + interrupt.path() + " || echo 'interrupt " + interrupt.number()
                    + " stays where it is' >&2");
            comment(
                    "After a boot interrupts have other numbers: irqbalance spreads them, if it is installed and enabled.");
        }
    }

    /** Each remediation once, because findings may share one. */
    private void command(String command) {
        if (said.add(command)) {
            out.append(command).append('\n');
        }
    }

    private void comment(String text) {
        String comment = String.join("\n", DoctorText.wrap("# ", "# ", ProcText.oneLine(text))) + "\n";
        if (said.add(comment)) {
            out.append(comment);
        }
    }
}
