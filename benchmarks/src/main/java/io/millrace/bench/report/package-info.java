/**
 * A run on disk: {@code results.json} and {@code results.csv} hold every trial as it was measured, {@code report.md} and
 * {@code report.html} the same document in two forms. A document is made of text, tables and charts; what is in it is
 * the business of the suite, how it looks is decided here. All of it is rewritten after each trial, so that an
 * interrupted run keeps what it has. Nothing here starts a thread.
 */
@NullMarked
package io.millrace.bench.report;

import org.jspecify.annotations.NullMarked;
