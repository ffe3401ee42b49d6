/**
 * The journal: an append-only log of all received datagrams, unchanged, which everything else reads.
 *
 * <p>Invariants:
 * <ul>
 *   <li>One process writes a data directory: it holds a lock on {@code LOCK}. One thread writes a shard.
 *   <li>A slab holds one batch, which becomes one excerpt of the shard's Chronicle queue. A batch is appended
 *       completely or not at all.
 *   <li>Sequence numbers of a shard increase over all restarts, and none is used twice. The writer assigns them at the
 *       append. A run continues after the highest number that journal, counters or outputs know. So a gap remains only
 *       where the disk lost datagrams, as after a power failure.
 *   <li>The writer retries a failed append and never drops a slab.
 *   <li>Disk blocks are allocated before a byte of them is written: {@code fallocate} extends a file, and Chronicle
 *       never does. If the disk is full, nothing is appended, and datagrams wait in slabs and socket buffers.
 *   <li>With the sync level {@code batch}, a datagram counts as journaled only when it is on disk.
 *   <li>Retention deletes whole files, oldest first, never the newest file of a shard. It counts unread datagrams
 *       first.
 *   <li>Files roll by size, and by age if retention has an age limit. Chronicle rolls by a clock, so the writer gives
 *       it a clock that is a counter and never goes back.
 * </ul>
 *
 * <pre>
 * data/ LOCK  meta.json  counters  journal/shard-0/19700102F.cq4 …
 *                                          file = Chronicle header, index, excerpt*
 *                                          excerpt = length word (4 bytes), batch (see io.millrace.internal.record)
 * </pre>
 *
 * <p>This package contains what the subpackages share: the data directory and its lock, metadata, settings, and paths.
 * Each subpackage depends only on earlier ones: {@code file} (the format), {@code read}, {@code recovery},
 * {@code write}.
 */
package io.millrace.internal.journal;
