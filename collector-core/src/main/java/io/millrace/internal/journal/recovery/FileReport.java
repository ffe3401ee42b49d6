package io.millrace.internal.journal.recovery;

import java.nio.file.Path;

/**
 * The result of a scan for one file.
 *
 * @param file the path of the file
 * @param whole true if the file is intact, so that a repair keeps it
 * @param batches the number of batches, including gap batches
 * @param firstSequence the first sequence number of its first batch; undefined without batches
 * @param nextSequence the number after its last batch; undefined without batches
 * @param usedBytes the position of the end of the last batch
 * @param lastTimeNs the latest receive time of its last batch
 */
record FileReport(
        Path file,
        boolean whole,
        long batches,
        long firstSequence,
        long nextSequence,
        long usedBytes,
        long lastTimeNs) {}
