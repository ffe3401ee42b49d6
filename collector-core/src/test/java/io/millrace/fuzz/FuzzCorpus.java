package io.millrace.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Inputs found by fuzzing that take different paths through the code: a file per target, base64, one per line. */
final class FuzzCorpus {
    static final Path FOLDER = Path.of("src/test/resources/fuzz");

    private FuzzCorpus() {}

    private static Path file(FuzzTarget target) {
        return FOLDER.resolve(target + ".txt");
    }

    static List<byte[]> read(FuzzTarget target) throws IOException {
        if (!Files.exists(file(target))) {
            return List.of();
        }
        return Files.readAllLines(file(target)).stream()
                .map(line -> Base64.getDecoder().decode(line))
                .toList();
    }

    /** Replaces the inputs by those in a folder, which has one file per input. */
    static int keep(FuzzTarget target, Path folder) throws IOException {
        List<byte[]> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        List<String> lines = inputs.stream()
                .map(Base64.getEncoder()::encodeToString)
                .sorted(Comparator.comparing(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
        Files.createDirectories(FOLDER);
        Files.write(file(target), lines);
        return lines.size();
    }
}
