package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CLOCK;

import io.millrace.app.doctor.host.Host;
import io.millrace.internal.linux.ProcText;
import java.util.ArrayList;
import java.util.List;

/** Check whether the clock is synchronised. */
final class ClockCheck {
    private static final String TIMESYNC = "/run/systemd/timesync/synchronized";
    private static final String[] CHRONY = {"-n", "tracking"};
    private static final String[] TIMEDATE = {"show", "-p", "NTPSynchronized"};

    private ClockCheck() {}

    static void look(Examination examination) {
        Host host = examination.host();
        List<String> problems = new ArrayList<>();
        Host.Answer chrony = host.run("chronyc", CHRONY);
        String leap = chrony.text() == null ? null : ProcText.field(chrony.text(), "Leap status");
        if (leap != null) {
            judge(
                    examination,
                    !leap.equals("Not synchronised"),
                    "chronyd says: leap status " + leap,
                    "chronyc tracking");
            return;
        }
        problems.add(chrony.text() == null ? chrony.problem() : "chronyc prints no leap status");
        if (!host.read(TIMESYNC).missing()) {
            judge(examination, true, "systemd-timesyncd has synchronised it", TIMESYNC);
            return;
        }
        Host.Answer timedate = host.run("timedatectl", TIMEDATE);
        String text = timedate.text() == null ? "" : timedate.text().strip();
        if (text.startsWith("NTPSynchronized=")) {
            judge(examination, text.endsWith("=yes"), text, "timedatectl show");
            return;
        }
        problems.add(timedate.text() == null ? timedate.problem() : "timedatectl prints something else: " + text);
        problems.add(TIMESYNC + " is not there");
        examination.unavailable(CLOCK, "", String.join("; ", problems), "chronyc, timedatectl, systemd-timesyncd");
    }

    private static void judge(Examination examination, boolean synchronised, String seen, String source) {
        if (synchronised) {
            examination.ok(CLOCK, seen, source);
        } else {
            examination.add(
                    CLOCK,
                    FindingSeverity.NOTE,
                    seen,
                    source,
                    Remediation.advice(
                            "on the host (a container has its clock): timedatectl set-ntp true, or install chrony"));
        }
    }
}
