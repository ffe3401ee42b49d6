/**
 * Source tracking: top sources, silent sources and sequence gaps. It reads the journal and costs the receivers nothing.
 *
 * <pre>
 *  JournalCursor ─▶ SourceTracker ─▶ KnownSources    table of tracked sources; highest rates, silent sources
 *                                     ├▶ SourceSequences, SequenceStream    sequence gaps of a source
 *                                     └▶ SavedSources                       the table in a file, over a restart
 * </pre>
 *
 * <p>A {@link io.millrace.internal.sources.SourceTracker} is an agent with its own thread. It publishes a {@link
 * io.millrace.collector.SourcesStatus} every second. Every table has a fixed size, because source addresses are easily
 * spoofed: a million sources must not need more memory than a few.
 */
package io.millrace.internal.sources;
