package io.millrace.collector;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * CPU pinning: binds each thread to one CPU of a list, round robin.
 *
 * @param cpus CPU numbers of Linux; empty for no binding
 */
public record Pinning(List<Integer> cpus) {
    /** No pinning: the scheduler chooses the CPUs. */
    public static final Pinning NONE = new Pinning(List.of());

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final int MAX_CPUS = 4096;

    /** Copies the list. */
    public Pinning {
        cpus = List.copyOf(cpus);
    }

    /**
     * Parses a list such as {@code 1,3} or {@code 0-3,8}.
     *
     * @throws IllegalArgumentException if the text is not a list of CPUs
     */
    public static Pinning parse(String text) {
        List<Integer> cpus = new ArrayList<>();
        for (String range : text.split(",", -1)) {
            String[] ends = range.strip().split("-", -1);
            try {
                int first = Integer.parseInt(ends[0]);
                int last = Integer.parseInt(ends[ends.length - 1]);
                if (ends.length > 2 || first < 0 || last < first || last >= MAX_CPUS) {
                    throw new NumberFormatException();
                }
                for (int cpu = first; cpu <= last; cpu++) {
                    cpus.add(cpu);
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("CPUs are a list such as 1,3 or 0-3,8, not '" + text + "'", e);
            }
        }
        return new Pinning(cpus);
    }

    /** The reason why threads cannot be bound to these CPUs, as an error message; null if they can. */
    public @Nullable String problem() {
        if (cpus.isEmpty()) {
            return null;
        }
        List<Integer> allowed;
        try (var lines = Files.lines(STATUS)) {
            allowed = lines.filter(line -> line.startsWith(ALLOWED))
                    .map(line -> parse(line.substring(ALLOWED.length()).strip()).cpus())
                    .findFirst()
                    .orElse(cpus);
        } catch (IOException e) {
            return "CPU pinning needs Linux";
        }
        return allowed.containsAll(cpus) ? null : "CPUs " + cpus + ", but this process may only run on " + allowed;
    }
}
