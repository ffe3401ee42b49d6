package io.millrace.bench.trial;

import io.millrace.bench.subject.Proc;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** CPU time as {@code /proc} has it, in the kernel's steps of 10 ms. */
final class CpuTime {
    /** Fixed by Linux for user space, whatever the kernel's own clock. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** With fewer steps than this a value is made of them. */
    static final long MIN_NANOS = 5 * TICK_NANOS;

    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int STEAL = 8;
    private static final int LAST_OF_HOST = 8;

    private CpuTime() {}

    /** What all threads of a process have used, those that have ended too, in user space and in the kernel, in ns. */
    static long ofProcess(long pid) throws IOException {
        String stat = Proc.text(Path.of("/proc/" + pid + "/stat"));
        // The name in parentheses may hold anything; what follows it is numbered from 0.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * TICK_NANOS;
    }

    /** The memory a process holds, without the files it has mapped, in bytes. */
    static long memory(long pid) throws IOException {
        for (String line :
                Proc.text(Path.of("/proc/" + pid + "/status")).lines().toList()) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("\\D+", "")) * 1024;
            }
        }
        return 0;
    }

    /**
     * A reading of the host's CPUs.
     *
     * @param total ticks of all of them, busy, idle and stolen
     * @param stolen ticks in which the hypervisor ran somebody else
     */
    record Host(long total, long stolen) {
        static Host now() throws IOException {
            String[] fields = Proc.text(Path.of("/proc/stat"))
                    .lines()
                    .findFirst()
                    .orElse("")
                    .split("\\s+", -1);
            long total = 0;
            for (int i = 1; i <= LAST_OF_HOST; i++) {
                total += Long.parseLong(fields[i]);
            }
            return new Host(total, Long.parseLong(fields[STEAL]));
        }

        /** The share of time stolen since an earlier reading, in percent. */
        double stealPercentSince(Host before) {
            return total == before.total ? 0 : 100.0 * (stolen - before.stolen) / (total - before.total);
        }
    }
}
