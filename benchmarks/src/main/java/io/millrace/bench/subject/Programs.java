package io.millrace.bench.subject;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where the programs are that are measured or measure: the project's own jars and binaries, and those of the host. */
public final class Programs {
    /** Set by the script {@code millrace}; else the home is looked for upwards of the working directory. */
    private static final String HOME_PROPERTY = "millrace.home";

    private static final String MARK = "collector-app/target/millrace.jar";

    private Programs() {}

    /** The project's home, in which its modules were built. */
    public static Path home() throws IOException {
        String given = System.getProperty(HOME_PROPERTY);
        if (given != null) {
            return Path.of(given);
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve(MARK))) {
                return at;
            }
        }
        throw new IOException("cannot find " + MARK + ": run this by the script millrace, which builds it");
    }

    /** A file that the build makes. */
    public static Path built(String name) throws IOException {
        Path file = home().resolve(name);
        if (!Files.exists(file)) {
            throw new IOException(file + " is not there: build it (./mvnw -Dquick package)");
        }
        return file;
    }

    /** The C baseline; empty where it was not built. */
    public static Optional<Path> baseline() throws IOException {
        Path baseline = home().resolve("benchmarks/target/bin/millrace-baseline");
        return Files.isExecutable(baseline) ? Optional.of(baseline) : Optional.empty();
    }

    /** True if the library of collector-native was built for any machine, which is this one's if any. */
    public static boolean hasNativeLibrary() {
        try {
            return Files.isDirectory(home().resolve("collector-native/target/classes/META-INF/native"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The JVM this one runs on, with the options the script gives the service, to be followed by {@code -jar} or so. */
    public static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx512m", "-XX:MaxDirectMemorySize=4g", "-XX:-UsePerfData"));
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        return command;
    }

    /** A program on the PATH, or where Debian keeps those of root. */
    public static Optional<Path> find(String program) {
        for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":", -1)) {
            Path file = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** The first line that a program prints of itself, on either stream; "unknown" if it prints none. */
    public static String version(String... command) {
        try (ChildProcess process = ChildProcess.start(command[0], List.of(command))) {
            process.awaitExit(Duration.ofSeconds(10));
            List<String> lines = new ArrayList<>(process.out());
            lines.addAll(process.err());
            return lines.stream()
                    .filter(line -> !line.isBlank())
                    .findFirst()
                    .orElse("unknown")
                    .strip();
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }

    /** Runs a program to its end and gives its standard output; empty if it cannot be run or fails. */
    public static Optional<List<String>> output(List<String> command) throws InterruptedException {
        try (ChildProcess process = ChildProcess.start(command.get(0), command)) {
            return process.awaitExit(Duration.ofSeconds(10)) == 0 ? Optional.of(process.out()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A command that runs on these CPUs only; unchanged if there are none. */
    public static List<String> pinned(List<Integer> processors, List<String> command) {
        if (processors.isEmpty()) {
            return command;
        }
        List<String> pinned = new ArrayList<>(List.of(
                "taskset",
                "-c",
                String.join(
                        ",",
                        processors.stream()
                                .map(number -> String.format(Locale.ROOT, "%d", number))
                                .toList())));
        pinned.addAll(command);
        return pinned;
    }
}
