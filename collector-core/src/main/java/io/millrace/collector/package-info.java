/**
 * The way in: {@link io.millrace.collector.Collector} puts receivers, rings, journal writers and counters together,
 * starts them in order and stops them in the order in which nothing is lost uncounted. Everything else is wired here and
 * nowhere else; nothing imports this package.
 *
 * <p>Threads: one {@code millrace-receive-N} a shard; in threading {@code dedicated} one {@code millrace-journal-N} each
 * besides; one {@code millrace-sources} if sources are watched.
 */
package io.millrace.collector;
