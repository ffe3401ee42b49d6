/**
 * A run on disk. {@code results.json} and {@code results.csv} contain every trial as measured; {@code report.md} and {@code
 * report.html} are the same document in two formats. All files are replaced after each trial, so that an interrupted run
 * keeps its results. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
