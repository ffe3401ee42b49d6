package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The pictures of the documentation that tests draw. {@code -Dmillrace.docs.write=true} writes them instead of comparing. */
public final class DocsPicture {
    private static final Path DOCS = Path.of("..", "docs");

    private DocsPicture() {}

    /** True if pictures are to be written. */
    static boolean isWritten() {
        return Boolean.getBoolean("millrace.docs.write");
    }

    /** Compares a picture with the file that shows it. */
    public static void check(String file, String svg) throws IOException {
        if (isWritten()) {
            write(file, svg);
        }
        assertThat(read(file))
                .as("docs/%s: run with -Dmillrace.docs.write=true to write it again", file)
                .isEqualToIgnoringNewLines(svg);
    }

    /** Writes a picture of what differs from run to run. */
    static void write(String file, String svg) throws IOException {
        Files.writeString(DOCS.resolve(file), svg.stripTrailing() + "\n");
    }

    /** A picture as it is. */
    static String read(String file) throws IOException {
        return Files.readString(DOCS.resolve(file));
    }
}
