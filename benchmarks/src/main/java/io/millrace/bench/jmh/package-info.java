/**
 * JMH benchmarks, a few per stage of a datagram: receive, encode, hand off, append, read. The jar is an ordinary JMH jar:
 * {@code java -jar benchmarks/target/benchmarks.jar -l} lists them. The Javadoc of each benchmark has its command and the
 * meaning of its result.
 *
 * <p>Threads: JMH runs benchmarks with one thread unless a benchmark says otherwise. {@link
 * io.millrace.bench.jmh.RingBenchmark} has one more, which takes the slabs.
 */
package io.millrace.bench.jmh;
