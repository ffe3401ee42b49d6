package io.millrace.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A folder with a document as {@code report.md} and {@code report.html}, its charts, and other files. */
public final class DocumentFiles {
    private final Path folder;

    /** Creates the folder; it must not contain a report. */
    public DocumentFiles(Path folder) throws IOException {
        if (Files.exists(folder.resolve("report.md"))) {
            throw new IllegalArgumentException(folder + " already contains a run: use another --out, or remove it");
        }
        this.folder = Files.createDirectories(folder);
    }

    /** The default folder of a run: the name and the time. */
    public static Path defaultFolder(String name) {
        String time = LocalDateTime.now(ZoneId.systemDefault())
                .format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
        return Path.of("bench-results", name + "-" + time);
    }

    /** The folder. */
    public Path path() {
        return folder;
    }

    /** Replaces the document in both formats, and its charts. */
    public void write(Document document) throws IOException {
        write("report.md", Markdown.of(document));
        write("report.html", Html.of(document));
        int number = 0;
        for (Document.Block block : document.blocks()) {
            if (block instanceof Chart chart) {
                number++;
                write("chart-" + number + ".svg", Svg.draw(chart) + "\n");
            }
        }
    }

    /** Replaces a file atomically. */
    public void write(String name, String text) throws IOException {
        Path next = folder.resolve(name + ".next");
        Files.writeString(next, text);
        Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
