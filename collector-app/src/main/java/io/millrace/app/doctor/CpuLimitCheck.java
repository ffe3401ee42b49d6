package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CPU_LIMIT;
import static io.millrace.app.doctor.Diagnosis.PROCESSORS;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.app.doctor.host.Host;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.ProcText;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Check of the CPU time of the control group and of the number of CPUs. */
final class CpuLimitCheck {
    private CpuLimitCheck() {}

    /** A CPU quota, and how often the group was throttled. */
    private record Quota(
            double cpus, double periodMs, @Nullable Long throttled, String source) {}

    static void look(Examination examination) {
        cpus(examination);
        ControlGroup group = ControlGroup.of(examination, "cpu");
        if (group == null) {
            examination.unavailable(
                    CPU_LIMIT,
                    "",
                    "no control groups to be seen",
                    examination.process().proc() + "/cgroup");
            return;
        }
        Quota tightest = null;
        for (String directory : group.directories()) {
            Quota quota = quota(examination.host(), group.version(), directory);
            if (quota != null && (tightest == null || quota.cpus() < tightest.cpus())) {
                tightest = quota;
            }
        }
        if (tightest == null) {
            examination.ok(CPU_LIMIT, "no limit", group.directories().get(0));
        } else {
            judge(examination, tightest);
        }
    }

    private static void judge(Examination examination, Quota quota) {
        int threads = examination.settings().receivingThreads();
        boolean throttled = quota.throttled() != null && quota.throttled() > 0;
        String seen = String.format(
                Locale.ROOT,
                "%.1f CPUs in periods of %s, %s to receive and journal; throttled %s",
                quota.cpus(),
                Amounts.millis(quota.periodMs()),
                Amounts.count(threads, "thread"),
                quota.throttled() == null ? "unavailable" : Amounts.count(quota.throttled(), "time"));
        // One more for outputs, compilation and garbage collection.
        if (quota.cpus() >= threads + 1 && !throttled) {
            examination.ok(CPU_LIMIT, seen, quota.source());
            return;
        }
        examination.add(
                CPU_LIMIT,
                FindingSeverity.RISK,
                seen,
                quota.source(),
                Remediation.advice("no limit (weights share CPUs without standing still), or at least " + (threads + 1)
                        + " CPUs: docker run --cpus, CPUQuota= in the unit, resources.limits.cpu of the pod"));
    }

    private static @Nullable Quota quota(Host host, int version, String directory) {
        Long quota;
        Long period;
        if (version == 1) {
            quota = ProcText.number(host.read(directory + "/cpu.cfs_quota_us").text());
            period = ProcText.number(host.read(directory + "/cpu.cfs_period_us").text());
        } else {
            String text = host.read(directory + "/cpu.max").text();
            String[] words = text == null ? new String[0] : ProcText.words(text);
            // 'max 100000' means no limit.
            quota = words.length == 2 ? ProcText.number(words[0]) : null;
            period = words.length == 2 ? ProcText.number(words[1]) : null;
        }
        if (quota == null || period == null || quota <= 0 || period <= 0) {
            return null;
        }
        String statistics = host.read(directory + "/cpu.stat").text();
        Long throttled = statistics == null
                ? null
                : statistics
                        .lines()
                        .filter(it -> it.startsWith("nr_throttled "))
                        .map(it -> ProcText.number(it.substring("nr_throttled ".length())))
                        .findFirst()
                        .orElse(null);
        return new Quota((double) quota / period, period / 1000.0, throttled, directory);
    }

    private static void cpus(Examination examination) {
        String source = examination.process().proc() + "/status (Cpus_allowed_list)";
        String status = examination
                .host()
                .read(examination.process().proc() + "/status")
                .text();
        int allowed = ProcText.countOfList(status == null ? null : ProcText.field(status, "Cpus_allowed_list"));
        if (allowed == 0) {
            examination.unavailable(PROCESSORS, "", "they cannot be read", source);
            return;
        }
        int threads = examination.settings().receivingThreads();
        String seen =
                Amounts.count(allowed, "CPU") + ", " + Amounts.count(threads, "thread") + " to receive and journal";
        if (threads > allowed) {
            examination.add(
                    PROCESSORS,
                    FindingSeverity.RISK,
                    seen,
                    source,
                    Remediation.advice("fewer receivers (receive.receivers)"));
        } else if (threads == allowed && examination.settings().collector().get(CollectorSettings.BUSY_POLL)) {
            examination.add(
                    PROCESSORS,
                    FindingSeverity.RISK,
                    seen + ", and receive.busyPoll never releases one",
                    source,
                    Remediation.advice("receive.busyPoll: off, or fewer receivers"));
        } else if (allowed == 1) {
            examination.add(
                    PROCESSORS,
                    FindingSeverity.NOTE,
                    seen + ": the kernel's work, the receiver's and everything else share it",
                    source,
                    Remediation.NONE);
        } else {
            examination.ok(PROCESSORS, seen, source);
        }
    }
}
