package io.millrace.internal.agent;

import io.millrace.collector.Pinning;
import net.openhft.affinity.Affinity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds threads to CPUs. */
public final class CpuAffinity {
    private static final Logger LOG = LoggerFactory.getLogger(CpuAffinity.class);

    private CpuAffinity() {}

    /**
     * Returns a task that first binds its thread to a CPU.
     *
     * @param pinning the CPUs
     * @param number the thread's number, from 0
     */
    public static Runnable bind(Pinning pinning, int number, Runnable task) {
        if (pinning.cpus().isEmpty()) {
            return task;
        }
        int cpu = pinning.cpus().get(number % pinning.cpus().size());
        return () -> {
            try {
                Affinity.setAffinity(cpu);
                if (Affinity.getAffinity().cardinality() != 1) {
                    throw new IllegalStateException("the native library cannot be loaded");
                }
            } catch (RuntimeException | LinkageError e) {
                LOG.warn("Cannot bind {} to CPU {}", Thread.currentThread().getName(), cpu, e);
            }
            task.run();
        };
    }
}
