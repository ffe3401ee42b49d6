package io.millrace.bench.trial;

import io.millrace.bench.subject.ChildProcess;
import io.millrace.bench.subject.Proc;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A part of one CPU's time for a receiver, with all its threads: a Linux control group with a limit. Where sender and receiver
 * share a machine, the sender often is what ends first, and a search for the highest rate then says nothing of the receiver; with
 * less time than a whole CPU it does. The limit holds in each 10 ms, so that a receive buffer sees short waits only.
 */
public final class CpuShare implements AutoCloseable {
    /** The kernel takes no limit below 1 ms. */
    public static final int MIN_PERCENT = 10;

    private static final int PERIOD_MICROS = 10_000;
    private static final int DELETE_TRIES = 100;
    private static final int DELETE_WAIT_MS = 10;

    private final Hierarchy hierarchy;
    private final Path group;
    private final boolean passedOn;
    private final Runnable hook = this::remove;

    /**
     * Where control groups are made that can limit CPU time.
     *
     * @param root where it is mounted
     * @param unified true for the second version, which has one hierarchy for everything
     */
    record Hierarchy(Path root, boolean unified) {
        /** Looks for it in the lines of {@code /proc/self/mounts}; the first version where there are both, for it has what it mounts. */
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

        /** Lets groups below the root have limits of CPU time; true if they could not before. */
        boolean passOn() throws IOException {
            if (!unified || Arrays.asList(Proc.text(passed()).split(" ", -1)).contains("cpu")) {
                return false;
            }
            Files.writeString(passed(), "+cpu");
            return true;
        }

        /** What {@link #passOn} did, undone. */
        void takeBack(boolean passedOn) throws IOException {
            if (passedOn) {
                Files.writeString(passed(), "-cpu");
            }
        }

        private Path passed() {
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

    private CpuShare(Hierarchy hierarchy, Path group, boolean passedOn) {
        this.hierarchy = hierarchy;
        this.group = group;
        this.passedOn = passedOn;
    }

    /**
     * Makes the control group.
     *
     * @param percent of one CPU's time
     * @throws IOException if this user may not, or the machine has none; it says what is needed
     */
    public static CpuShare of(int percent) throws IOException {
        Hierarchy hierarchy = Hierarchy.in(Files.readAllLines(Path.of("/proc/self/mounts")))
                .orElseThrow(() ->
                        new IOException("--share needs Linux control groups, and none are mounted on this machine"));
        Path group = hierarchy
                .root()
                .resolve("millrace-bench-" + ProcessHandle.current().pid());
        try {
            CpuShare share = new CpuShare(hierarchy, group, hierarchy.passOn());
            try {
                // One of a process that was killed and had the same number may be left, and is empty.
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
                    "--share makes a control group, which takes root and a machine, not a container: " + e, e);
        }
    }

    /** Puts a process under the limit, with the threads it has and will have. */
    public void take(long pid) throws IOException {
        Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    }

    Path group() {
        return group;
    }

    private void remove() {
        try {
            // A process that has ended is in its group until the kernel has done with it.
            for (int i = 0; i < DELETE_TRIES && Files.exists(group); i++) {
                try {
                    Files.delete(group);
                } catch (FileSystemException busy) {
                    Thread.sleep(DELETE_WAIT_MS);
                }
            }
            Files.deleteIfExists(group);
            hierarchy.takeBack(passedOn);
        } catch (IOException e) {
            System.err.println("millrace bench: cannot put control groups back as they were: " + e);
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
