/**
 * What happens to a journal after a crash, and what an operator does with a damaged one.
 *
 * <p>At the start {@link io.millrace.journal.recovery.TailRecovery} finds where a shard's last file ends and {@link
 * io.millrace.journal.recovery.CrashAccounting} counts what a killed process had received and not journaled. {@link
 * io.millrace.journal.recovery.JournalScanner} verifies files; {@link io.millrace.journal.recovery.JournalRepair} and {@link
 * io.millrace.journal.recovery.JournalExport} copy what is whole into a new journal. A repair changes no existing file.
 */
package io.millrace.journal.recovery;
