package io.millrace.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Runs histories, one after the other. */
public final class Simulation implements AutoCloseable {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path base;
    private static final Logger ROOT = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final Level level = ROOT.getLevel();
    private int crashes;

    /** Creates a simulation with a directory of its own. */
    public Simulation() throws IOException {
        base = Files.isDirectory(MEMORY)
                ? Files.createTempDirectory(MEMORY, "millrace-simulation")
                : Files.createTempDirectory("millrace-simulation");
        // Thousands of crashes and faults are reported otherwise.
        ROOT.setLevel(Boolean.getBoolean("millrace.sim.log") ? level : Level.OFF);
    }

    /** Runs the history of a seed; returns what is wrong, or null. */
    public @Nullable String run(long seed) {
        try (History history = new History(seed, base)) {
            try {
                history.run();
                return null;
            } catch (Violation e) {
                return e.getMessage() + " (" + history + ")";
            } catch (IOException | RuntimeException | AssertionError | InternalError e) {
                java.io.StringWriter text = new java.io.StringWriter();
                e.printStackTrace(new java.io.PrintWriter(text));
                return text + " (" + history + ")";
            } finally {
                crashes += history.crashes;
            }
        } catch (IOException e) {
            return "cannot clean up: " + e;
        }
    }

    /** Crashes and stops so far, each with a start after it. */
    public int crashes() {
        return crashes;
    }

    @Override
    public void close() throws IOException {
        ROOT.setLevel(level);
        if (Boolean.getBoolean("millrace.sim.keep")) {
            return;
        }
        try (Stream<Path> all = Files.walk(base)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Runs histories from a seed on: {@code SEED COUNT}. */
    public static void main(String[] arguments) throws IOException {
        long seed = Long.parseLong(arguments[0]);
        long count = Long.parseLong(arguments[1]);
        long beganNs = System.nanoTime();
        int failed = 0;
        try (Simulation simulation = new Simulation()) {
            for (long i = 0; i < count; i++) {
                String wrong = simulation.run(seed + i);
                if (wrong != null) {
                    System.out.println("seed " + (seed + i) + ": " + wrong);
                    if (++failed >= 10) {
                        break;
                    }
                }
            }
            double seconds = (System.nanoTime() - beganNs) / 1e9;
            double cpu = ProcessHandle.current()
                            .info()
                            .totalCpuDuration()
                            .orElse(java.time.Duration.ZERO)
                            .toMillis()
                    / 1e3;
            System.out.printf("%.1f s of CPU: %.0f crashes/s%n", cpu, simulation.crashes() / cpu);
            System.out.printf(
                    "%d histories, %d crashes in %.1f s: %.0f crashes/s%n",
                    count, simulation.crashes(), seconds, simulation.crashes() / seconds);
        }
    }
}
