package io.millrace.bench.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds the programs of a benchmark: the jars and binaries of this project and programs of the host. */
public final class Programs {
    /** Set by the script {@code millrace}; otherwise the home is searched from the working directory upwards. */
    private static final String HOME_PROPERTY = "millrace.home";

    private static final String MARK = "collector-app/target/millrace.jar";

    private Programs() {}

    /** The home directory of the project, in which its modules were built. */
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
        throw new IOException("cannot find " + MARK + ": use the script millrace, which builds it");
    }

    /** A file that the build creates. */
    public static Path built(String name) throws IOException {
        Path file = home().resolve(name);
        if (!Files.exists(file)) {
            throw new IOException(file + " does not exist: build it (./mvnw -Dquick package)");
        }
        return file;
    }

    /** The C baseline; empty if it was not built. */
    public static Optional<Path> baseline() throws IOException {
        Path baseline = home().resolve("benchmarks/target/bin/millrace-baseline");
        return Files.isExecutable(baseline) ? Optional.of(baseline) : Optional.empty();
    }

    /** True if the library of collector-native was built. */
    public static boolean hasNativeLibrary() {
        try {
            return Files.isDirectory(home().resolve("collector-native/target/classes/META-INF/native"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The command of this JVM with the options that the script gives the service. */
    public static List<String> java() {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmx512m", "-XX:MaxDirectMemorySize=4g", "-XX:-UsePerfData"));
        command.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:+DisplayVMOutputToStderr"));
        if (Runtime.version().feature() <= 25) {
            command.addAll(List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:AsyncDeflationInterval=5000"));
        }
        if (Runtime.version().feature() >= 24) {
            command.addAll(List.of("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED"));
        }
        return command;
    }

    /** The options with which the script gives a jar its archive of classes; none if there is no archive for this JVM. */
    public static List<String> classArchive(Path jar) {
        String name = jar.getFileName().toString();
        Path archive = jar.resolveSibling(name.substring(0, name.length() - ".jar".length()) + "-java"
                + System.getProperty("java.version") + ".jsa");
        if (!Files.exists(archive)) {
            return List.of();
        }
        return Runtime.version().feature() < 25
                ? List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off")
                : List.of("-XX:AOTCache=" + archive, "-Xlog:aot=off", "-Xlog:cds=off");
    }

    /** A configuration without paths of this host, which do not belong in a report. */
    public static String withoutPaths(String configuration) throws IOException {
        return configuration
                .replace(home().toAbsolutePath().toString(), "MILLRACE")
                .replace(System.getProperty("java.home") + "/bin/java", "java");
    }

    /** True if this process runs as root. */
    public static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** A program on the PATH, in {@code /usr/sbin} or {@code /sbin}, or where Go installs programs. */
    public static Optional<Path> find(String program) {
        String directories =
                System.getenv("PATH") + ":/usr/sbin:/sbin:" + Path.of(System.getProperty("user.home"), "go/bin");
        for (String directory : directories.split(":", -1)) {
            Path file = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isExecutable(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /** The first line that a program prints on either stream; "unknown" if there is none. */
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

    /** Runs a program and returns its standard output; empty if it cannot be run or fails. */
    public static Optional<List<String>> output(List<String> command) throws InterruptedException {
        try (ChildProcess process = ChildProcess.start(command.get(0), command)) {
            return process.awaitExit(Duration.ofSeconds(10)) == 0 ? Optional.of(process.out()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** A command that runs only on these CPUs; unchanged if the list is empty. */
    public static List<String> pinned(List<Integer> cpus, List<String> command) {
        if (cpus.isEmpty()) {
            return command;
        }
        String list = cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
        List<String> pinned = new ArrayList<>(List.of("taskset", "-c", list));
        pinned.addAll(command);
        return pinned;
    }
}
