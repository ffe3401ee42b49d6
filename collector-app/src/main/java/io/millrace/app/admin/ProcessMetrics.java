package io.millrace.app.admin;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.millrace.internal.linux.ProcFile;
import io.millrace.internal.linux.ProcText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/** Metrics of the process, with the names of the Prometheus client libraries. Load of the host is left to its exporter. */
final class ProcessMetrics implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            FunctionCounter.builder(
                            "process.cpu.seconds",
                            system,
                            it -> it.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1))
                    .description("CPU time of the process, the kernel's for it included")
                    .register(registry);
            Gauge.builder("process.open.fds", system, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
                    .description("Open file descriptors")
                    .register(registry);
            Gauge.builder("process.max.fds", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("File descriptors that may be open")
                    .register(registry);
        }
        Gauge.builder("process.resident.memory.bytes", ProcessMetrics::residentBytes)
                .description("Memory in use, the pages of the journal that are mapped included")
                .register(registry);
        long startMs = ManagementFactory.getRuntimeMXBean().getStartTime();
        Gauge.builder("process.start.time.seconds", () -> startMs / (double) TimeUnit.SECONDS.toMillis(1))
                .description("When the process was started, in seconds since 1970")
                .register(registry);
    }

    /** The resident set size; NaN if it cannot be read. */
    private static double residentBytes() {
        try {
            Long kib = ProcText.number(ProcText.field(ProcFile.ofSelf("status"), "VmRSS"));
            return kib == null ? Double.NaN : kib * 1024.0;
        } catch (IOException unreadable) {
            return Double.NaN;
        }
    }
}
