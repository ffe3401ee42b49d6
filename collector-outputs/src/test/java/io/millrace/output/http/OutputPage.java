package io.millrace.output.http;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/** The table of error codes on a page of {@code docs/outputs}: codes, what they mean, and the result, with its remedy after a semicolon. */
public final class OutputPage {
    private OutputPage() {}

    /**
     * A code of the table.
     *
     * @param result {@code waits}, {@code dead letter}, or for both {@code waits, or dead letter}
     */
    public record Row(int code, String result) {}

    /** The codes of a page. */
    public static Stream<Row> rows(String output) throws IOException {
        return Files.readString(Path.of("../docs/outputs/" + output + ".md"))
                .lines()
                .filter(line -> line.matches("\\| \\d[^|]*\\|.*"))
                .map(line -> line.split("\\|", -1))
                .flatMap(cells -> Arrays.stream(cells[1].split(",", -1))
                        .map(code -> new Row(
                                Integer.parseInt(code.strip()),
                                cells[3].replaceFirst(";.*", "").strip())));
    }
}
