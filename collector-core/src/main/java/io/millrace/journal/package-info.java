/**
 * The journal: every datagram as it came, on disk before anything looks at it.
 *
 * <p>Invariants:
 * <ul>
 *   <li>One process writes a data directory: it holds a lock on {@code LOCK}. One thread writes a shard.
 *   <li>A slab is one batch is one excerpt of the shard's Chronicle queue. It is there whole or not at all.
 *   <li>Sequence numbers of a shard have no holes and no repeats, over all restarts: they are given at the append, and
 *       the first of a run is the one after the journal's last.
 *   <li>A slab whose append failed is kept and tried again: the writer never drops one.
 *   <li>Every byte that is mapped and stored to has its block of the disk before: files grow by zeros appended to them, and
 *       never by Chronicle. With no room nothing is appended: the slabs wait, and so do the sockets.
 *   <li>With the sync level {@code batch} nothing counts as journaled that is not on disk.
 *   <li>Retention deletes whole files, the oldest first, never a shard's newest, and counts what is unread before it does.
 *   <li>Files roll by size, and by age if retention asks for it. Chronicle rolls by a clock, so its clock is a counter of
 *       ours that never goes back.
 * </ul>
 *
 * <pre>
 * data/ LOCK  meta.json  counters  journal/shard-0/19700102F.cq4 …
 *                                          file = Chronicle header, index, excerpt*
 *                                          excerpt = length word (4 bytes), batch (see io.millrace.record)
 * </pre>
 *
 * <p>This package has what all others share: the data directory and its lock, the metadata, settings, and names of files. The packages
 * below go one way: {@code file} (the format), {@code read}, {@code recovery}, {@code write}.
 */
package io.millrace.journal;
