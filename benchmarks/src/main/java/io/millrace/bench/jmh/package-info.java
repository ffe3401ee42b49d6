/**
 * JMH suites, a few for each stage that a datagram goes through: received, encoded, submitted, appended, read. The
 * jar is an ordinary JMH jar: {@code java -jar benchmarks/target/benchmarks.jar -l} lists them, and the Javadoc of each
 * says how it is run and what its figure means.
 *
 * <p>Threads: JMH's own run the benchmarks, one unless the suite says otherwise. {@link
 * io.millrace.bench.jmh.RingBenchmark} has a thread that takes what is submitted.
 */
package io.millrace.bench.jmh;
