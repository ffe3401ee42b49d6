package io.millrace.bench.host;

import io.millrace.internal.linux.ProcFile;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Control group that limits a receiver to a share of one CPU. If sender and receiver share a host, the sender is often slower,
 * and a search for the highest rate measures the sender. With less than one CPU for the receiver it measures the receiver.
 * The limit applies per 10 ms, so the receiver only pauses for a short time.
 */
public final class CpuShare implements AutoCloseable {
    /** The minimum: the kernel accepts no limit below 1 ms. */
    public static final int MIN_PERCENT = 10;

    private static final int PERIOD_MICROS = 10_000;
    private static final int DELETE_TRIES = 100;
    private static final int DELETE_WAIT_MS = 10;

    private final Hierarchy hierarchy;
    private final Path group;
    private final boolean controllerEnabled;
    private final Runnable hook = this::remove;

    /**
     * The hierarchy of control groups that can limit CPU time.
     *
     * @param root its mount point
     * @param unified true for cgroup v2
     */
    record Hierarchy(Path root, boolean unified) {
        /** Finds it in the lines of {@code /proc/self/mounts}. With both versions, v1 has the mounted controllers. */
        static Optional<Hierarchy> in(List<String> mounts) {
            Optional<Hierarchy> found = Optional.empty();
            for (String mount : mounts) {
                String[] fields = mount.split(" ", -1);
                if (fields.length < 4) {
                    continue;
                }
                if (fields[2].equals("cgroup")
                        && List.of(fields[3].split(",", -1)).contains("cpu")) {
                    return Optional.of(new Hierarchy(Path.of(fields[1]), false));
                }
                if (fields[2].equals("cgroup2") && found.isEmpty()) {
                    found = Optional.of(new Hierarchy(Path.of(fields[1]), true));
                }
            }
            return found;
        }

        /** Enables the cpu controller below the root; true if it was disabled before. */
        boolean enableController() throws IOException {
            if (!unified
                    || Arrays.asList(ProcFile.text(controllers()).split(" ", -1))
                            .contains("cpu")) {
                return false;
            }
            Files.writeString(controllers(), "+cpu");
            return true;
        }

        void restoreController(boolean controllerEnabled) throws IOException {
            if (controllerEnabled) {
                Files.writeString(controllers(), "-cpu");
            }
        }

        private Path controllers() {
            return root.resolve("cgroup.subtree_control");
        }

        void limit(Path group, int percent) throws IOException {
            int micros = percent * PERIOD_MICROS / 100;
            if (unified) {
                Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
            } else {
                Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
                Files.writeString(group.resolve("cpu.cfs_quota_us"), Integer.toString(micros));
            }
        }
    }

    private CpuShare(Hierarchy hierarchy, Path group, boolean controllerEnabled) {
        this.hierarchy = hierarchy;
        this.group = group;
        this.controllerEnabled = controllerEnabled;
    }

    /**
     * Makes the control group.
     *
     * @param percent of one CPU
     * @throws IOException if this user may not create one, or the host has none
     */
    public static CpuShare of(int percent) throws IOException {
        Hierarchy hierarchy = Hierarchy.in(Files.readAllLines(Path.of("/proc/self/mounts")))
                .orElseThrow(
                        () -> new IOException("--share needs Linux control groups, and none are mounted on this host"));
        Path group = hierarchy
                .root()
                .resolve("millrace-bench-" + ProcessHandle.current().pid());
        try {
            CpuShare share = new CpuShare(hierarchy, group, hierarchy.enableController());
            try {
                // A killed process with the same id may have left an empty group.
                Files.deleteIfExists(group);
                Files.createDirectory(group);
                hierarchy.limit(group, percent);
            } catch (IOException e) {
                share.remove();
                throw e;
            }
            ChildProcess.atShutdown(share.hook);
            return share;
        } catch (IOException e) {
            throw new IOException(
                    "--share creates a control group, which needs root and does not work in a container: " + e, e);
        }
    }

    /** Limits a process with all its present and future threads. */
    public void limit(long pid) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    }

    Path group() {
        return group;
    }

    private void remove() {
        try {
            // The kernel may keep an ended process in its group for a moment.
            for (int i = 0; i < DELETE_TRIES && Files.exists(group); i++) {
                try {
                    Files.delete(group);
                } catch (FileSystemException busy) {
                    Thread.sleep(DELETE_WAIT_MS);
                }
            }
            Files.deleteIfExists(group);
            hierarchy.restoreController(controllerEnabled);
        } catch (IOException e) {
            System.err.println("millrace bench: cannot restore the control groups: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        remove();
        ChildProcess.notAtShutdown(hook);
    }
}
