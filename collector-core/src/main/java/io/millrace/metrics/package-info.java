/** The counters as Micrometer metrics, named from {@link io.millrace.counters.Counter}. Reads only; any thread. */
package io.millrace.metrics;
