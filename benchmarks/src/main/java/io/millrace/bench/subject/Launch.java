package io.millrace.bench.subject;

import java.nio.file.Path;
import java.util.List;

/**
 * How a subject is to be started.
 *
 * @param directory an empty directory for all it writes
 * @param receiveBufferBytes the receive buffer it is to ask for, the kernel's doubling not counted
 * @param processors the CPUs it may use; empty for all
 */
public record Launch(Path directory, int receiveBufferBytes, List<Integer> processors) {}
