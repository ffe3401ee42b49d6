package io.millrace.output.file;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Chooses the names of rotated files. Within a second, each file of a path gets a higher number than all before it, whether these still
 * exist or not: {@link FileRetention} takes the highest number for the newest. One thread.
 */
final class RotatedNames {
    private final Clock clock;
    private final Map<Path, Integer> numbers = new HashMap<>();
    private Instant second = Instant.MIN;

    RotatedNames(Clock clock) {
        this.clock = clock;
    }

    /**
     * The name of a file that is rotated now.
     *
     * @param isTaken true for a name that is not free
     */
    Path next(Path file, Predicate<Path> isTaken) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (!now.equals(second)) {
            second = now;
            numbers.clear();
        }
        int number = numbers.getOrDefault(file, 0);
        Path target = target(file, number);
        while (isTaken.test(target)) {
            target = target(file, ++number);
        }
        numbers.put(file, number + 1);
        return target;
    }

    private Path target(Path file, int number) {
        return file.resolveSibling(new RotatedName(String.valueOf(file.getFileName()), second, number).text());
    }
}
