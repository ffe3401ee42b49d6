package io.millrace.journal.recovery;

import java.nio.file.Path;

/**
 * What a scan found in one file.
 *
 * @param file the file
 * @param whole true if nothing is wrong with it: it can stay as it is
 * @param batches batches in it, those of gaps included
 * @param firstSequence the number its first batch begins with; means nothing without batches
 * @param nextSequence the number after its last batch; means nothing without batches
 * @param usedBytes where the last batch ends
 * @param lastTimeNs latest receive time of its last batch
 */
record FileReport(
        Path file,
        boolean whole,
        long batches,
        long firstSequence,
        long nextSequence,
        long usedBytes,
        long lastTimeNs) {}
