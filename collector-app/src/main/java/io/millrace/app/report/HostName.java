package io.millrace.app.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of this host. */
public final class HostName {
    private HostName() {}

    /** The name that the kernel has; "unknown" if it cannot be read. */
    public static String get() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        } catch (IOException e) {
            return "unknown";
        }
    }
}
