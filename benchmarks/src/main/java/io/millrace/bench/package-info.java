/**
 * The command {@code millrace bench}. Packages depend on each other in one direction: {@code suite}, {@code soak} and
 * {@code socket} use {@code report}, {@code trial}, {@code subject} and {@code check}; {@code subject} uses {@code
 * reference}; all of them may use {@code host} and {@code option}. The JMH benchmarks in {@code jmh} only use {@code
 * reference} and {@code host}.
 */
package io.millrace.bench;
