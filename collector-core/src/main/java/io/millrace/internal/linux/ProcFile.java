package io.millrace.internal.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reader of files of {@code /proc} and {@code /sys}. */
public final class ProcFile {
    private static final int BUFFER_BYTES = 16 << 10;

    private ProcFile() {}

    /** The text of a file of this process, such as {@code status}. */
    public static String ofSelf(String name) throws IOException {
        return text(Path.of("/proc/self", name));
    }

    /** Where a symbolic link of this process leads, such as {@code ns/net}. */
    public static Path linkOfSelf(String name) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self", name));
    }

    /**
     * The text of a file without surrounding white space, read with large reads: some of these files have the size 0
     * and return nothing after a short first read.
     */
    public static String text(Path file) throws IOException {
        byte[] bytes = new byte[BUFFER_BYTES];
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
