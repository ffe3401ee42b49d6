package io.millrace.fuzz;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Fuzzes the targets of a module with Jazzer, a process and a time for each, and keeps the smallest set of inputs that
 * reaches all the code that was reached, for the module's {@code FuzzCorpusTest}. From the folder of the project, ten minutes
 * for each target of the library, and for one of the service's:
 *
 * <pre>
 * ./mvnw -B -q -Pfuzz -pl collector-core test-compile exec:exec -Dfuzz.seconds=600
 * ./mvnw -B -q -Pfuzz -pl collector-core,collector-native,sender-tool,collector-app test-compile exec:exec -Dfuzz.target=config
 * </pre>
 *
 * A finding ends it with an error; the input is in the module's {@code target/fuzz}.
 */
public final class FuzzRun {
    /** An input of a few kilobytes that takes more memory or time than this is a finding. */
    private static final String MAX_MEMORY = "-Xmx1g";

    private static final int SLOW_SECONDS = 10;

    private FuzzRun() {}

    /** Takes the seconds for each target, and a target's name or {@code all}: modules without one of that name do nothing. */
    public static void main(String[] args) throws IOException, InterruptedException, ReflectiveOperationException {
        List<FuzzTarget> targets = FuzzTarget.all().stream()
                .filter(target -> args[1].equals("all") || args[1].equals(target.toString()))
                .toList();
        if (targets.isEmpty()) {
            System.out.println(Path.of("").toAbsolutePath().getFileName() + ": no target " + args[1] + " among "
                    + FuzzTarget.all());
        }
        for (FuzzTarget target : targets) {
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
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // What Chronicle needs of the JDK.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of(
                MAX_MEMORY,
                "-cp",
                System.getProperty("java.class.path"),
                "-Dmillrace.fuzz=" + target,
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + JazzerEntry.class.getName(),
                "--instrumentation_includes=io.millrace.**",
                // The latter is a loop of the tests over whole files: to watch each turn of it takes most of the time.
                "--instrumentation_excludes=io.millrace.fuzz.**:io.millrace.internal.journal.JournalBytes",
                "--custom_hook_includes=io.millrace.**",
                "--reproducer_path=" + work,
                "-artifact_prefix=" + work + "/",
                "-max_len=" + target.longest(),
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
