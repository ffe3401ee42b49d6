package io.millrace.internal.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host: what messages of local sources have as their host name, if they name none. */
public final class LocalHost {
    private static final byte[] NAME = read().getBytes(StandardCharsets.UTF_8);

    private LocalHost() {}

    /** Not a copy. */
    public static byte[] name() {
        return NAME;
    }

    private static String read() {
        try {
            String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
            return name.isEmpty() ? "localhost" : name;
        } catch (IOException e) {
            return "localhost";
        }
    }
}
