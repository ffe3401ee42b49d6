package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Description of the host that results depend on. */
public final class Environment {
    /** The property that says how busy the host was. */
    public static final String LOAD_AVERAGE = "load average at the start";

    private static final List<String> SYSCTLS = List.of(
            "net/core/rmem_max",
            "net/core/rmem_default",
            "net/core/wmem_max",
            "net/core/netdev_max_backlog",
            "net/ipv4/udp_mem",
            "net/ipv4/udp_rmem_min",
            "vm/dirty_ratio",
            "vm/overcommit_memory");

    private Environment() {}

    /** The properties by name; "unknown" for those that cannot be read. */
    public static Map<String, String> read() {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("kernel", text("/proc/sys/kernel/osrelease"));
        found.put("CPUs", Integer.toString(Runtime.getRuntime().availableProcessors()));
        found.put("CPU model", value("/proc/cpuinfo", "model name"));
        found.put("hypervisor", text("/proc/cpuinfo").contains(" hypervisor") ? "yes" : "none seen");
        found.put("load average at the start", text("/proc/loadavg"));
        found.put("memory", value("/proc/meminfo", "MemTotal"));
        found.put("transparent huge pages of shared memory", text("/sys/kernel/mm/transparent_hugepage/shmem_enabled"));
        for (String name : SYSCTLS) {
            found.put(name.replace('/', '.'), ProcText.oneLine(text("/proc/sys/" + name)));
        }
        found.put("Java", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        found.put("Millrace", commit());
        return found;
    }

    private static String commit() {
        try {
            String home = Programs.home().toString();
            return Programs.output(List.of("git", "-C", home, "describe", "--always", "--dirty", "--abbrev=12"))
                    .filter(lines -> !lines.isEmpty())
                    .map(lines -> "commit " + lines.get(0))
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    private static String value(String file, String key) {
        return Objects.requireNonNullElse(ProcText.field(text(file), key), "unknown");
    }

    private static String text(String file) {
        try {
            return ProcFile.text(Path.of(file));
        } catch (IOException e) {
            return "unknown";
        }
    }
}
