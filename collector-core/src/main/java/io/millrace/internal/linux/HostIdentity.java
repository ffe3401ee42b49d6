package io.millrace.internal.linux;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Identifies the kernel since its boot, and the device of a directory. If one of both has changed, what was written and not synced may
 * be gone: after a loss of power, and when a volume is attached to another host.
 */
public final class HostIdentity {
    /** The identity is not known. */
    public static final long UNKNOWN = 0;

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private HostIdentity() {}

    /** The identity for this directory; {@link #UNKNOWN} if the kernel does not tell its boot. */
    public static long of(Path directory) {
        try {
            String boot = Files.readString(BOOT, StandardCharsets.US_ASCII).strip();
            return hash(boot) << Integer.SIZE | hash(String.valueOf(Files.getAttribute(directory, "unix:dev")));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    private static long hash(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        return crc.getValue();
    }
}
