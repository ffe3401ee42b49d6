/**
 * The ladder: receivers as a good engineer writes them without a library, each one step better than the last, to compare
 * the collector with. A rung is one way to read a socket and one way to write a file; {@link
 * io.millrace.bench.rung.Rungs} lists them. All write the same thing, each datagram as one line, and all lose only what
 * the kernel drops: what a rung has received it has written when it is closed.
 *
 * <p>Threads: a rung has one thread that receives ({@code rung-receive}, or Netty's event loop), which also writes the
 * file, unless its sink says otherwise: {@link io.millrace.bench.rung.QueueSink} has a thread {@code rung-write}, and
 * {@link io.millrace.bench.rung.AsyncFileSink} the JDK's pool. The thread that opens a rung closes it.
 */
package io.millrace.bench.rung;
