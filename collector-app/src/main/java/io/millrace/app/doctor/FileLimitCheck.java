package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.FILE_LIMIT;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.internal.linux.ProcText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

final class FileLimitCheck {
    private static final Pattern LIMIT = Pattern.compile("(?m)^Max open files +(\\d+|unlimited) +(\\d+|unlimited) ");

    /** Files of class path, libraries and admin HTTP, with a margin. */
    private static final int JVM_FILES = 300;

    private static final int FILES_PER_SHARD = 16;
    private static final int FILES_PER_OUTPUT = 64;

    private FileLimitCheck() {}

    static void look(Examination examination) {
        String path = examination.process().proc() + "/limits";
        String text = examination.file(FILE_LIMIT, path);
        if (text == null) {
            return;
        }
        Matcher matcher = LIMIT.matcher(text);
        if (!matcher.find()) {
            examination.unavailable(FILE_LIMIT, "", "there is no 'Max open files'", path);
            return;
        }
        // The JVM raises its limit to the hard limit.
        String limit = matcher.group(2);
        DoctorSettings settings = examination.settings();
        long need = JVM_FILES
                + settings.sockets()
                + (long) FILES_PER_SHARD * settings.collector().receivers()
                + (long) FILES_PER_OUTPUT * settings.outputs()
                + settings.connections();
        String seen =
                limit + " for " + examination.process().text() + "; the service needs about " + Amounts.count(need);
        Long most = ProcText.number(limit);
        if (most == null || most >= need) {
            examination.ok(FILE_LIMIT, seen, path);
        } else {
            examination.add(
                    FILE_LIMIT,
                    FindingSeverity.RISK,
                    seen,
                    path,
                    Remediation.advice("LimitNOFILE=" + 4 * need + " in the unit, or ulimit -n " + 4 * need));
        }
    }
}
