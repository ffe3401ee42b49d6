/**
 * The subjects of the benchmarks: UDP receivers, each started as a process of its own and stopped with SIGTERM. They are
 * Millrace, the reference receivers, the C baseline, and peers if installed, all behind {@link
 * io.millrace.bench.subject.Subject}. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.subject;

import org.jspecify.annotations.NullMarked;
