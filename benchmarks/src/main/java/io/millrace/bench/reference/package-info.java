/**
 * The reference receivers: simple receivers without a collector, to compare the collector with. Each combines one way to read
 * a socket with one way to write a file; {@link io.millrace.bench.reference.ReferenceReceivers} lists them. All write each
 * datagram as one line, and only the kernel drops datagrams.
 *
 * <p>Threads: a receiver has one thread that receives and writes ({@code reference-receive}, or Netty's event loop). {@link
 * io.millrace.bench.reference.QueueSink} writes with a thread {@code reference-write}, {@link
 * io.millrace.bench.reference.AsyncFileSink} with the JDK's pool. The thread that opens a receiver closes it.
 */
package io.millrace.bench.reference;
