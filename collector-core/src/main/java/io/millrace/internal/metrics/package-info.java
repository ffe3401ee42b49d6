/** Counters, outputs and sources as Micrometer metrics. It only reads. Any thread. */
package io.millrace.internal.metrics;
