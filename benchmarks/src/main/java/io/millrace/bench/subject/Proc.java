package io.millrace.bench.subject;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Files of {@code /proc} and {@code /sys}. */
public final class Proc {
    private static final int FIRST = 16 << 10;

    private Proc() {}

    /**
     * The text of a file, without white space around it. It is asked for in one large read: some of these files have a
     * size of 0, and give nothing more to a reader that has begun with less than all of it.
     */
    public static String text(Path file) throws IOException {
        byte[] bytes = new byte[FIRST];
        int length = 0;
        try (FileInputStream in = new FileInputStream(file.toFile())) {
            for (int read = in.read(bytes); read > 0; read = in.read(bytes, length, bytes.length - length)) {
                length += read;
                if (length == bytes.length) {
                    bytes = Arrays.copyOf(bytes, 4 * length);
                }
            }
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8).strip();
    }
}
