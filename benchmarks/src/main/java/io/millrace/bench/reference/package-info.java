/**
 * The receiver comparison: receivers as a good engineer writes them without a library, each one step better than the last, to compare
 * the collector with. A reference receiver is one way to read a socket and one way to write a file; {@link
 * io.millrace.bench.reference.ReferenceReceivers} lists them. All write the same thing, each datagram as one line, and all lose only what
 * the kernel drops: what a reference receiver has received it has written when it is closed.
 *
 * <p>Threads: a reference receiver has one thread that receives ({@code reference receiver-receive}, or Netty's event loop), which also writes the
 * file, unless its sink says otherwise: {@link io.millrace.bench.reference.QueueSink} has a thread {@code reference receiver-write}, and
 * {@link io.millrace.bench.reference.AsyncFileSink} the JDK's pool. The thread that opens a reference receiver closes it.
 */
package io.millrace.bench.reference;
