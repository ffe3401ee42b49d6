/**
 * The commands that compare: each plans its trials so that receivers take turns, runs them, and says what they show. A
 * suite is a plan and a document; how a trial is run is in {@link io.millrace.bench.trial}, how a document looks in
 * {@link io.millrace.bench.report}.
 */
@NullMarked
package io.millrace.bench.suite;

import org.jspecify.annotations.NullMarked;
