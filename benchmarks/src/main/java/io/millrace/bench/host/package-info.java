/**
 * The host of a benchmark: processes, {@code /proc}, control groups, scratch directories and the lock that lets one run
 * measure at a time. Output of a child process is read by threads of its own; a shutdown hook ends children that still run.
 */
@NullMarked
package io.millrace.bench.host;

import org.jspecify.annotations.NullMarked;
