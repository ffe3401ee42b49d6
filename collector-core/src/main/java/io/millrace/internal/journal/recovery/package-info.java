/**
 * Recovery of a journal after a crash, and the tools for a damaged journal: verify, repair and export.
 *
 * <p>At the start, {@link io.millrace.internal.journal.recovery.TailRecovery} finds the end of a shard's last file, and
 * {@link io.millrace.internal.journal.recovery.CrashAccounting} counts datagrams that a killed process had received and not
 * journaled. {@link io.millrace.internal.journal.recovery.JournalScanner} verifies files.
 * {@link io.millrace.internal.journal.recovery.JournalRepair} and {@link io.millrace.internal.journal.recovery.JournalExport} copy intact
 * batches into a new journal. A repair changes no existing file.
 */
package io.millrace.internal.journal.recovery;
