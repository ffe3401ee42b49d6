package io.millrace.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzzes parser, filters and formats with Jazzer, a process and a time for each, and keeps the smallest set of inputs that
 * reaches all the code that was reached, for {@link FuzzCorpusTest}. From the folder of the project, ten minutes each:
 *
 * <pre>
 * ./mvnw -B -q -Pfuzz -pl collector-core test-compile exec:exec -Dfuzz.seconds=600
 * </pre>
 *
 * A finding ends it with an error; the input is in {@code collector-core/target/fuzz}.
 */
public final class FuzzRun {
    private static final int LONGEST = 1024;
    private static final int SLOW_SECONDS = 10;

    private FuzzRun() {}

    /** Runs all targets, or those named after the number of seconds. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<FuzzTarget> targets = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            targets.add(FuzzTarget.of(args[i]));
        }
        for (FuzzTarget target : targets.isEmpty() ? FuzzTarget.all() : targets) {
            fuzz(target, Integer.parseInt(args[0]));
        }
    }

    private static void fuzz(FuzzTarget target, int seconds) throws IOException, InterruptedException {
        Path work = Files.createDirectories(Path.of("target/fuzz"));
        Path found = Files.createTempDirectory(work, target + "-found");
        Path merged = Files.createTempDirectory(work, target + "-merged");
        write(target.seeds(), "seed", found);
        write(FuzzCorpus.read(target), "kept", found);
        jazzer(target, work, "-max_total_time=" + seconds, found.toString());
        jazzer(target, work, "-merge=1", merged.toString(), found.toString());
        System.out.println(target + ": " + FuzzCorpus.keep(target, merged) + " inputs kept");
    }

    private static void write(List<byte[]> inputs, String name, Path folder) throws IOException {
        for (int i = 0; i < inputs.size(); i++) {
            Files.write(folder.resolve(name + i), inputs.get(i));
        }
    }

    private static void jazzer(FuzzTarget target, Path work, String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dmillrace.fuzz=" + target,
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + JazzerEntry.class.getName(),
                "--instrumentation_includes=io.millrace.parse.**:io.millrace.filter.**:io.millrace.format.**",
                "--custom_hook_includes=io.millrace.**",
                "--reproducer_path=" + work,
                "-artifact_prefix=" + work + "/",
                "-max_len=" + LONGEST,
                "-timeout=" + SLOW_SECONDS,
                "-rss_limit_mb=0",
                "-print_final_stats=1"));
        command.addAll(List.of(args));
        int code = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IllegalStateException("Jazzer found something in " + target + ": see " + work.toAbsolutePath());
        }
    }
}
