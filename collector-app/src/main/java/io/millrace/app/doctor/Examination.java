package io.millrace.app.doctor;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.app.doctor.host.Host.Answer;
import io.millrace.app.doctor.host.UdpSockets;
import io.millrace.internal.linux.ProcText;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An examination: the host, the settings, and the findings so far. Values that several checks need are read once. */
final class Examination {
    private final Host host;
    private final DoctorSettings settings;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Set<Diagnosis>> missingTools = new TreeMap<>();
    private @Nullable Interfaces interfaces;
    private @Nullable UdpSockets sockets;
    private @Nullable ServiceProcess process;

    Examination(Host host, DoctorSettings settings) {
        this.host = host;
        this.settings = settings;
    }

    Host host() {
        return host;
    }

    DoctorSettings settings() {
        return settings;
    }

    Interfaces interfaces() {
        if (interfaces == null) {
            interfaces = Interfaces.of(this);
        }
        return interfaces;
    }

    UdpSockets sockets() {
        if (sockets == null) {
            sockets = UdpSockets.of(host);
        }
        return sockets;
    }

    /** The process of the service if it runs, else this process. */
    ServiceProcess process() {
        if (process == null) {
            process = ServiceProcess.of(this);
        }
        return process;
    }

    /** Adds a finding. One without a problem has no remediation. */
    void add(
            Diagnosis diagnosis,
            FindingSeverity severity,
            String subject,
            String seen,
            String source,
            Remediation remediation) {
        Remediation needed = severity == FindingSeverity.OK ? Remediation.NONE : remediation;
        findings.add(new Finding(diagnosis, severity, subject, seen, source, needed));
    }

    void add(Diagnosis diagnosis, FindingSeverity severity, String seen, String source, Remediation remediation) {
        add(diagnosis, severity, "", seen, source, remediation);
    }

    void ok(Diagnosis diagnosis, String seen, String source) {
        add(diagnosis, FindingSeverity.OK, "", seen, source, Remediation.NONE);
    }

    void ok(Diagnosis diagnosis, String subject, String seen, String source) {
        add(diagnosis, FindingSeverity.OK, subject, seen, source, Remediation.NONE);
    }

    void unavailable(Diagnosis diagnosis, String subject, String why, String source) {
        add(diagnosis, FindingSeverity.UNAVAILABLE, subject, why, source, Remediation.NONE);
    }

    /** The file of a kernel setting. */
    static String path(String key) {
        return "/proc/sys/" + key.replace('.', '/');
    }

    /** The text of a file; null if it cannot be read. */
    @Nullable
    String text(String path) {
        return host.read(path).text();
    }

    /** The first number in a file; null if there is none. */
    @Nullable
    Long numberIn(String path) {
        return ProcText.number(text(path));
    }

    /** The first number of a kernel setting; null if it cannot be read. */
    @Nullable
    Long sysctl(String key) {
        return numberIn(path(key));
    }

    /** Reads a file; returns null, with an unavailable finding, if that fails. */
    @Nullable
    String file(Diagnosis diagnosis, String path) {
        Answer answer = host.read(path);
        if (answer.text() == null) {
            unavailable(diagnosis, "", answer.problem(), path);
        }
        return answer.text();
    }

    /** Reads a file that contains one number; returns null, with an unavailable finding, if it does not. */
    @Nullable
    Long number(Diagnosis diagnosis, String path) {
        String text = file(diagnosis, path);
        Long number = text == null ? null : ProcText.number(text);
        if (text != null && number == null) {
            unavailable(diagnosis, "", "no number: " + ProcText.oneLine(text), path);
        }
        return number;
    }

    /** Runs a tool; returns null if it fails or is not installed. A missing tool is reported once. */
    @Nullable
    String tool(Diagnosis diagnosis, String subject, String tool, String... arguments) {
        Answer answer = host.run(tool, arguments);
        if (answer.missing()) {
            missing(diagnosis, tool);
        } else if (answer.text() == null) {
            unavailable(diagnosis, subject, answer.problem(), tool + " " + String.join(" ", arguments));
        }
        return answer.text();
    }

    /** The number of CPUs that are online; 1 if it cannot be read. */
    int cpus() {
        return Math.max(1, ProcText.countOfList(text("/sys/devices/system/cpu/online")));
    }

    /** For example {@code since the boot 3 days ago}. */
    String sinceBoot() {
        String text = text("/proc/uptime");
        String seconds = text == null ? "" : ProcText.words(text)[0];
        return seconds.matches("\\d{1,12}(\\.\\d*)?")
                ? "since the boot " + Amounts.duration(Double.parseDouble(seconds)) + " ago"
                : "since the boot";
    }

    /** Adds a diagnosis to those of a missing tool. */
    void missing(Diagnosis diagnosis, String tool) {
        missingTools
                .computeIfAbsent(tool, it -> EnumSet.noneOf(Diagnosis.class))
                .add(diagnosis);
    }

    Map<String, Set<Diagnosis>> missingTools() {
        return missingTools;
    }

    List<Finding> findings() {
        return findings;
    }
}
