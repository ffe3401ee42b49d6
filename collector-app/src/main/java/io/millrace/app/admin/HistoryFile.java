package io.millrace.app.admin;

import io.millrace.app.admin.History.Measure;
import io.millrace.app.admin.History.Sample;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.journal.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.slf4j.LoggerFactory;

/**
 * The samples of the last day, in the data directory: a line for each, with the time in ms since the epoch and the values of
 * {@link Measure}, in its order. A line that cannot be read is left out: nothing depends on the file but the picture of yesterday.
 */
final class HistoryFile {
    private static final int MAX_LINES = 10_000;

    private final FailureLog failures = new FailureLog(LoggerFactory.getLogger(HistoryFile.class));
    private final Path file;

    HistoryFile(Path dataDirectory) {
        this.file = dataDirectory.resolve("history");
    }

    /** The samples, the oldest first; their losses by drop point are unknown. */
    List<Sample> read() {
        List<Sample> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
                    .limit(MAX_LINES)
                    .toList()) {
                add(line, found);
            }
        } catch (NoSuchFileException e) {
            // The first start.
        } catch (IOException e) {
            failures.report("The history of the last day cannot be read from " + file, e);
        }
        return found;
    }

    private static void add(String line, List<Sample> found) {
        String[] numbers = line.split(" ");
        if (numbers.length != 1 + Measure.values().length) {
            return;
        }
        try {
            long[] all = Arrays.stream(numbers).mapToLong(Long::parseLong).toArray();
            if (found.isEmpty() || all[0] > found.get(found.size() - 1).epochMs()) {
                found.add(new Sample(all[0], Arrays.copyOfRange(all, 1, all.length), new long[0]));
            }
        } catch (NumberFormatException e) {
            // See the comment of the class.
        }
    }

    synchronized void write(List<Sample> samples) {
        String text = samples.stream()
                .map(sample -> LongStream.concat(LongStream.of(sample.epochMs()), Arrays.stream(sample.values()))
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(" "))
                        + "\n")
                .collect(Collectors.joining());
        Path next = file.resolveSibling(file.getFileName() + ".next");
        try {
            Files.deleteIfExists(next);
            Files.createFile(next, PrivateFiles.FILE);
            Files.writeString(next, text, StandardCharsets.ISO_8859_1);
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            failures.report("The history of the last day cannot be written to " + file, e);
        }
    }
}
