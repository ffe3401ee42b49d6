/**
 * The commands that compare receivers. A suite plans interleaved trials, runs them and makes a report of the results. {@link
 * io.millrace.bench.trial} runs a trial, {@link io.millrace.bench.report} formats the report. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.suite;

import org.jspecify.annotations.NullMarked;
