package io.millrace.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A folder with a document in it, as {@code report.md} and {@code report.html}, and files beside them. */
public final class DocumentFiles {
    private final Path folder;

    /** Makes the folder if it is not there; one that holds a report already is refused. */
    public DocumentFiles(Path folder) throws IOException {
        if (Files.exists(folder.resolve("report.md"))) {
            throw new IllegalArgumentException(folder + " holds a run already: give another --out, or remove it");
        }
        this.folder = Files.createDirectories(folder);
    }

    /** Where it is. */
    public Path path() {
        return folder;
    }

    /** Writes the document again, in both forms. */
    public void write(Document document) throws IOException {
        write("report.md", Markdown.of(document));
        write("report.html", Html.of(document));
    }

    /** Writes a file again; whoever reads it sees the old one or the new one. */
    public void write(String name, String text) throws IOException {
        Path next = folder.resolve(name + ".next");
        Files.writeString(next, text);
        Files.move(next, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
