package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** CPU time from {@code /proc}, with a resolution of 10 ms. */
public final class CpuTime {
    /** The value of USER_HZ in user space, independent of the kernel's clock. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The minimum CPU time of a usable measurement: with fewer ticks it mainly shows the resolution. */
    public static final long MIN_NANOS = 5 * TICK_NANOS;

    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int STEAL = 8;
    private static final int LAST_OF_HOST = 8;

    private CpuTime() {}

    /** The CPU time of all threads of a process, including ended ones, in user space and in the kernel, in ns. */
    public static long ofProcess(long pid) throws IOException {
        String stat = ProcFile.text(Path.of("/proc/" + pid + "/stat"));
        // The name in parentheses may contain anything; the fields after it are numbered from 0.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * TICK_NANOS;
    }

    /** The memory of a process without mapped files, in bytes. */
    public static long memory(long pid) throws IOException {
        return kib(pid, "RssAnon") * 1024;
    }

    /** The resident memory of a process, with what it has of mapped files, in KiB. */
    public static long resident(long pid) throws IOException {
        return kib(pid, "VmRSS");
    }

    private static long kib(long pid, String field) throws IOException {
        Long kib = ProcText.number(ProcText.field(ProcFile.text(Path.of("/proc/" + pid + "/status")), field));
        return kib == null ? 0 : kib;
    }

    /**
     * The ticks of all CPUs of the host.
     *
     * @param total all ticks: busy, idle and stolen
     * @param stolen ticks that the hypervisor gave to other guests
     */
    public record Host(long total, long stolen) {
        public static Host now() throws IOException {
            String[] fields = ProcText.words(
                    ProcFile.text(Path.of("/proc/stat")).lines().findFirst().orElse(""));
            long total = 0;
            for (int i = 1; i <= LAST_OF_HOST; i++) {
                total += Long.parseLong(fields[i]);
            }
            return new Host(total, Long.parseLong(fields[STEAL]));
        }

        /** The share of time stolen since an earlier reading, in percent. */
        public double stealPercentSince(Host before) {
            return total == before.total ? 0 : 100.0 * (stolen - before.stolen) / (total - before.total);
        }
    }
}
