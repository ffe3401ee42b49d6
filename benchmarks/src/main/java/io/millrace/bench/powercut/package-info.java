/**
 * The power-cut test: the service on a file system of its own, whose {@link io.millrace.bench.powercut.CutDisk disk} is copied at random
 * moments under {@link io.millrace.bench.powercut.Senders load}. A copy has what was on the disk at that moment, as after a power failure.
 * {@link io.millrace.bench.powercut.Recovery} starts the service on each copy and checks what it recovered.
 */
@NullMarked
package io.millrace.bench.powercut;

import org.jspecify.annotations.NullMarked;
