package io.millrace.bench.subject;

import java.nio.file.Path;
import java.util.List;

/**
 * How a subject is started.
 *
 * @param directory an empty directory for all its files
 * @param receiveBufferBytes the receive buffer it requests, without the kernel's doubling
 * @param cpus the CPUs it may use; empty for all
 */
public record LaunchSettings(Path directory, int receiveBufferBytes, List<Integer> cpus) {
    /** The file for received datagrams, one per line. */
    public Path lines() {
        return directory.resolve("lines");
    }
}
