/**
 * What is measured: receivers of UDP, each started as a process of its own, told where to listen and where to write,
 * and stopped with SIGTERM. Millrace, the reference receivers of the receiver comparison, the C baseline, and other collectors where they are
 * installed, all behind one small interface. A process's output is read by threads of its own; everything else runs on
 * the caller's.
 */
@NullMarked
package io.millrace.bench.subject;

import org.jspecify.annotations.NullMarked;
