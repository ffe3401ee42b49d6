package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.bench.host.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power cuts as a user runs them. {@code -Dmillrace.it.cuts=100} sets how many, {@code -Dmillrace.it.seed=…} the moments, and {@code
 * -Dmillrace.it.out=DIR} keeps the report.
 */
@Tag("full")
class PowerCutIT {
    private static final int UNAVAILABLE = 2;
    private static final Path JAR = Path.of("target", "benchmarks.jar");

    @TempDir
    private Path directory;

    private int run(int cuts, List<String> lines, String... options) throws Exception {
        List<String> command = new ArrayList<>(Programs.java());
        command.addAll(List.of("-cp", JAR.toString(), "io.millrace.bench.BenchMain", "powercut"));
        command.addAll(List.of("--cuts", Integer.toString(cuts), "--work", directory.toString()));
        command.addAll(List.of(options));
        try (Forked test = Forked.start(command)) {
            int code = test.awaitExit(Duration.ofSeconds(120 + 30L * cuts));
            lines.addAll(test.out());
            String err = String.join("\n", test.err());
            if (code == UNAVAILABLE && err.contains("cannot run here")) {
                Needs.that(false, err);
            }
            lines.addAll(test.err());
            lines.forEach(line -> System.err.println("PowerCutIT: " + line));
            return code;
        } finally {
            assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain(directory.toString());
        }
    }

    @Test
    void losesNothingThatWasAnswered() throws Exception {
        List<String> options = new ArrayList<>(List.of("--between", "1s", "--out"));
        options.add(
                System.getProperty("millrace.it.out", directory.resolve("out").toString()));
        Long seed = Long.getLong("millrace.it.seed");
        if (seed != null) {
            options.addAll(List.of("--seed", seed.toString()));
        }
        List<String> lines = new ArrayList<>();
        int code = run(Integer.getInteger("millrace.it.cuts", 3), lines, options.toArray(String[]::new));
        assertThat(code).as(String.join("\n", lines)).isZero();
        assertThat(lines).contains("passed");
    }

    /** The checks can fail: this level answers before anything is on the disk. The cut is 2.6 s after the begin of the load. */
    @Test
    void findsWhatPageCacheLoses() throws Exception {
        List<String> lines = new ArrayList<>();
        String out = directory.resolve("out").toString();
        int code = run(1, lines, "--between", "3s", "--seed", "2", "--sync", "page-cache", "--out", out);
        assertThat(code).as(String.join("\n", lines)).isEqualTo(1);
        assertThat(lines).anyMatch(line -> line.contains("answered RELP messages are missing"));
        assertThat(Path.of(out)).isDirectoryContaining("glob:**/cut-1.img");
    }
}
