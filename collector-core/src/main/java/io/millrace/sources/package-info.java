/**
 * What is known of the sources of datagrams, found out by reading the journal, never in the receiver.
 *
 * <pre>
 *  JournalCursor ─▶ SourceWatch ─┬▶ TopSources      who sends most: two windows of Space-Saving
 *                                └▶ KnownSources    who is known, and who is silent
 *                                    └▶ SourceNumbers, NumberStream    what is missing in what a source numbers
 * </pre>
 *
 * <p>A {@link io.millrace.sources.SourceTracker} is an agent on a thread of its own, at its own pace; what it has found is
 * shown as a {@link io.millrace.sources.SourcesStatus}, made every second. Every table has a fixed size: addresses are
 * easily made up, and a million of them must cost no more than a few.
 */
package io.millrace.sources;
