package io.millrace.app.doctor;

import static io.millrace.app.doctor.Diagnosis.CPU_LIMIT;
import static io.millrace.app.doctor.Diagnosis.FILE_LIMIT;
import static io.millrace.app.doctor.Diagnosis.MEMORY_LIMIT;
import static io.millrace.app.doctor.Diagnosis.PROCESSORS;
import static io.millrace.app.doctor.Diagnosis.SWAP;
import static io.millrace.app.doctor.FindingSeverity.NOTE;
import static io.millrace.app.doctor.FindingSeverity.OK;
import static io.millrace.app.doctor.FindingSeverity.RISK;

import io.millrace.app.doctor.host.Amounts;
import io.millrace.collector.CollectorSettings;
import io.millrace.internal.linux.ProcText;
import io.millrace.internal.text.ByteSize;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of what the service's process may use: memory and CPU time of its control group, CPUs, files; and of swap. */
final class ProcessChecks {
    /** The JVM's memory for classes, code, threads and Netty's arenas, in addition to heap and slabs. */
    private static final long JVM_BYTES = 160L << 20;

    /** Version 1 writes a number near 2^63 for no limit. */
    private static final long NO_LIMIT = 1L << 60;

    private static final Pattern OPEN_FILES =
            Pattern.compile("(?m)^Max open files +(\\d+|unlimited) +(\\d+|unlimited) ");

    /** Files of class path, libraries and admin HTTP, with a margin. */
    private static final int JVM_FILES = 300;

    private static final int FILES_PER_SHARD = 16;
    private static final int FILES_PER_OUTPUT = 64;
    private static final String SWAPS = "/proc/swaps";
    private static final int COLUMN_USED = 3;

    private ProcessChecks() {}

    /**
     * The control group of the process for a controller: its directory and those above it, whose limits all apply.
     *
     * @param version 1 or 2
     * @param directories the group's own first
     */
    private record ControlGroup(int version, List<String> directories) {
        private static final String ROOT = "/sys/fs/cgroup";

        /** The control group; null, with an unavailable finding, if there is none. */
        static @Nullable ControlGroup of(Examination examination, Diagnosis diagnosis, String controller) {
            String path = examination.process().proc() + "/cgroup";
            String text = examination.text(path);
            ControlGroup second = null;
            for (String line : text == null ? List.<String>of() : text.lines().toList()) {
                String[] parts = line.split(":", 3);
                if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                    return new ControlGroup(1, upwards(ROOT + "/" + controller, parts[2]));
                }
                if (parts.length == 3 && parts[0].equals("0") && parts[1].isEmpty()) {
                    second = new ControlGroup(2, upwards(ROOT, parts[2]));
                }
            }
            if (second == null) {
                examination.unavailable(diagnosis, "", "no control groups to be seen", path);
            }
            return second;
        }

        /** In a container, the path may not exist or start above the mount: then the mount's root is the group. */
        private static List<String> upwards(String root, String path) {
            List<String> directories = new ArrayList<>();
            String rest = path.contains("..") ? "" : path.replaceFirst("/$", "");
            while (!rest.isEmpty()) {
                directories.add(root + rest);
                rest = rest.substring(0, rest.lastIndexOf('/'));
            }
            directories.add(root);
            return directories;
        }
    }

    /** A CPU quota, and how often the group was throttled. */
    private record Quota(
            double cpus, double periodMs, @Nullable Long throttled, String source) {}

    /** The control group's memory limit, against the needs of the service. */
    static void memory(Examination examination) {
        ControlGroup group = ControlGroup.of(examination, MEMORY_LIMIT, "memory");
        if (group == null) {
            return;
        }
        String file = group.version() == 1 ? "/memory.limit_in_bytes" : "/memory.max";
        long limit = NO_LIMIT;
        String source = group.directories().get(0) + file;
        for (String directory : group.directories()) {
            Long value = examination.numberIn(directory + file);
            if (value != null && value < limit) {
                limit = value;
                source = directory + file;
            }
        }
        if (limit == NO_LIMIT) {
            examination.ok(MEMORY_LIMIT, "no limit", source);
            return;
        }
        DoctorSettings settings = examination.settings();
        Long granted = UdpChecks.granted(examination);
        long process = settings.heapBytes() + settings.slabBytes() + JVM_BYTES;
        long sockets = group.version() == 1 || granted == null ? 0 : 2 * granted * settings.sockets();
        String seen = ByteSize.text(limit) + "; the service can take " + ByteSize.text(process) + " (heap "
                + ByteSize.text(settings.heapBytes()) + ", slabs " + ByteSize.text(settings.slabBytes())
                + ", the JVM itself about " + ByteSize.text(JVM_BYTES) + ")"
                + (sockets == 0 ? "" : ", and its sockets' buffers " + ByteSize.text(sockets));
        long need = ((process + sockets) * 5 / 4) >> 20;
        Remediation more =
                Remediation.advice("allow " + need + " MiB: docker run --memory " + need + "m, MemoryMax=" + need
                        + "M in the unit, resources.limits.memory of the pod; or take a smaller heap (MILLRACE_JAVA_OPTS=-Xmx…)"
                        + " and receive.receiveBuffer");
        examination.add(MEMORY_LIMIT, limit >= process + sockets ? OK : RISK, seen, source, more);
    }

    /** The CPU time of the control group, and the number of CPUs. */
    static void cpu(Examination examination) {
        cpus(examination);
        ControlGroup group = ControlGroup.of(examination, CPU_LIMIT, "cpu");
        if (group == null) {
            return;
        }
        Quota tightest = null;
        for (String directory : group.directories()) {
            Quota quota = quota(examination, group.version(), directory);
            if (quota != null && (tightest == null || quota.cpus() < tightest.cpus())) {
                tightest = quota;
            }
        }
        if (tightest == null) {
            examination.ok(CPU_LIMIT, "no limit", group.directories().get(0));
            return;
        }
        int threads = examination.settings().receivingThreads();
        Long throttled = tightest.throttled();
        String seen = String.format(
                Locale.ROOT,
                "%.1f CPUs in periods of %s, %s to receive and journal; throttled %s",
                tightest.cpus(),
                Amounts.millis(tightest.periodMs()),
                Amounts.count(threads, "thread"),
                throttled == null ? "unavailable" : Amounts.count(throttled, "time"));
        // One more for outputs, compilation and garbage collection.
        boolean enough = tightest.cpus() >= threads + 1 && (throttled == null || throttled <= 0);
        Remediation more = Remediation.advice("no limit (weights share CPUs without standing still), or at least "
                + (threads + 1) + " CPUs: docker run --cpus, CPUQuota= in the unit, resources.limits.cpu of the pod");
        examination.add(CPU_LIMIT, enough ? OK : RISK, seen, tightest.source(), more);
    }

    private static @Nullable Quota quota(Examination examination, int version, String directory) {
        Long quota;
        Long period;
        if (version == 1) {
            quota = examination.numberIn(directory + "/cpu.cfs_quota_us");
            period = examination.numberIn(directory + "/cpu.cfs_period_us");
        } else {
            String text = examination.text(directory + "/cpu.max");
            String[] words = text == null ? new String[0] : ProcText.words(text);
            // 'max 100000' means no limit.
            quota = words.length == 2 ? ProcText.number(words[0]) : null;
            period = words.length == 2 ? ProcText.number(words[1]) : null;
        }
        if (quota == null || period == null || quota <= 0 || period <= 0) {
            return null;
        }
        String statistics = examination.text(directory + "/cpu.stat");
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
        ServiceProcess process = examination.process();
        String source = process.proc() + "/status (Cpus_allowed_list)";
        int allowed = ProcText.countOfList(process.status(examination.host(), "Cpus_allowed_list"));
        if (allowed == 0) {
            examination.unavailable(PROCESSORS, "", "they cannot be read", source);
            return;
        }
        int threads = examination.settings().receivingThreads();
        String seen =
                Amounts.count(allowed, "CPU") + ", " + Amounts.count(threads, "thread") + " to receive and journal";
        if (threads > allowed) {
            Remediation fewer = Remediation.advice("fewer receivers (receive.receivers)");
            examination.add(PROCESSORS, RISK, seen, source, fewer);
        } else if (threads == allowed && examination.settings().collector().get(CollectorSettings.BUSY_POLL)) {
            Remediation off = Remediation.advice("receive.busyPoll: off, or fewer receivers");
            examination.add(PROCESSORS, RISK, seen + ", and receive.busyPoll never releases one", source, off);
        } else if (allowed == 1) {
            seen += ": the kernel's work, the receiver's and everything else share it";
            examination.add(PROCESSORS, NOTE, seen, source, Remediation.NONE);
        } else {
            examination.ok(PROCESSORS, seen, source);
        }
    }

    /** The limit of open files. */
    static void files(Examination examination) {
        String path = examination.process().proc() + "/limits";
        String text = examination.file(FILE_LIMIT, path);
        if (text == null) {
            return;
        }
        Matcher matcher = OPEN_FILES.matcher(text);
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
        Remediation more = Remediation.advice("LimitNOFILE=" + 4 * need + " in the unit, or ulimit -n " + 4 * need);
        examination.add(FILE_LIMIT, most == null || most >= need ? OK : RISK, seen, path, more);
    }

    /** Whether memory is in swap: of the service, or of any process. */
    static void swap(Examination examination) {
        String text = examination.file(SWAP, SWAPS);
        if (text == null) {
            return;
        }
        long kib = text.lines()
                .skip(1)
                .map(ProcText::words)
                .map(it -> it.length > COLUMN_USED ? ProcText.number(it[COLUMN_USED]) : null)
                .mapToLong(it -> it == null ? 0 : it)
                .sum();
        ServiceProcess process = examination.process();
        Long own = process.running() ? ProcText.number(process.status(examination.host(), "VmSwap")) : null;
        Remediation more = Remediation.advice("give the host more memory, or the service: MemorySwapMax=0 in its unit");
        if (own != null && own > 0) {
            String seen = ByteSize.text(own << 10) + " of the service are in swap";
            examination.add(SWAP, RISK, seen, process.proc() + "/status (VmSwap)", more);
        } else {
            String seen = kib > 0 ? ByteSize.text(kib << 10) + " are in swap" : "none in use";
            examination.add(SWAP, kib > 0 ? NOTE : OK, seen, SWAPS, more);
        }
    }
}
