package io.millrace.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Inputs that fuzzing found to take ways of their own through the code: a file for each target, base64, one a line. */
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

    /** Puts what is in a folder, a file an input, in the place of what was kept. */
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
