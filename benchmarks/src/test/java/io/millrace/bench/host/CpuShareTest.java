package io.millrace.bench.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.CpuShare.Hierarchy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuShareTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void findsTheHierarchyWithTheCpuController() {
        String unified = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate 0 0";
        String memory = "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0";
        String cpu = "cgroup /sys/fs/cgroup/cpu,cpuacct cgroup rw,cpu,cpuacct 0 0";
        String set = "cgroup /sys/fs/cgroup/cpuset cgroup rw,cpuset 0 0";
        assertThat(Hierarchy.in(List.of("proc /proc proc rw 0 0", unified)))
                .contains(new Hierarchy(Path.of("/sys/fs/cgroup"), true));
        assertThat(Hierarchy.in(List.of(unified, memory, set, cpu)))
                .contains(new Hierarchy(Path.of("/sys/fs/cgroup/cpu,cpuacct"), false));
        assertThat(Hierarchy.in(List.of(memory, set, "", "proc /proc"))).isEmpty();
    }

    @Test
    void enablesTheCpuControllerOfTheUnifiedHierarchyTemporarily(@TempDir Path root) throws IOException {
        Hierarchy hierarchy = new Hierarchy(root, true);
        Path controllers = root.resolve("cgroup.subtree_control");
        Files.writeString(controllers, "cpuset memory\n");
        assertThat(hierarchy.enableController()).isTrue();
        assertThat(controllers).hasContent("+cpu");
        hierarchy.restoreController(true);
        assertThat(controllers).hasContent("-cpu");
        Files.writeString(controllers, "cpuset cpu memory\n");
        assertThat(hierarchy.enableController()).isFalse();
        hierarchy.restoreController(false);
        assertThat(controllers).hasContent("cpuset cpu memory");
        hierarchy.limit(root, 50);
        assertThat(root.resolve("cpu.max")).hasContent("5000 10000");
    }

    @Test
    void throttlesAProcessAndRemovesTheGroup() throws IOException, InterruptedException {
        Path group;
        try (CpuShare share = share();
                ChildProcess busy = ChildProcess.start("busy", List.of("sh", "-c", "while :; do :; done"))) {
            share.limit(busy.pid());
            group = share.group();
            assertThat(group.resolve("cgroup.procs")).hasContent(Long.toString(busy.pid()));
            Path state = group.resolve("cpu.stat");
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (Files.readString(state).contains("nr_throttled 0\n") && System.nanoTime() < end) {
                Thread.sleep(10);
            }
            assertThat(state).content().contains("nr_throttled ").doesNotContain("nr_throttled 0\n");
        }
        assertThat(group).doesNotExist();
    }

    private static CpuShare share() {
        try {
            return CpuShare.of(CpuShare.MIN_PERCENT);
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("--share");
            System.err.println("skipped: a share of a CPU: " + e.getMessage());
            Assumptions.abort();
            throw new IllegalStateException(e);
        }
    }
}
