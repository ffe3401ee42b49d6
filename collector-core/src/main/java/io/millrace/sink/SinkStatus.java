package io.millrace.sink;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a sink.
 *
 * @param name the sink
 * @param counts the outcomes of datagrams since the sink was created
 * @param pending datagrams in the journal without an outcome
 * @param expired datagrams that retention deleted before the sink read them, and that it has not reached yet; it then counts them as
 *     missing
 * @param pendingBytes their approximate size in the journal, in bytes
 * @param lagNs how long ago the oldest of them was received, in ns; 0 if there is none
 * @param inFlightBatches batches the sink has
 * @param inFlightRecords records in them
 * @param batches batches acknowledged since the start
 * @param retries attempts that failed since the start
 * @param ackTotalNs time from the first attempt to the acknowledgement, of all batches since the start, in ns
 * @param ackMaxNs the longest of these, in ns
 * @param refused records that became dead letters since the start, by reason; a datagram may hold several
 * @param adjusted records that were changed since the start so that the destination takes them
 * @param deadLettersDeleted dead letters deleted since the start because their files had reached the limit
 * @param lastRefused the address from which the last refused datagram came; null if there is none since the start
 * @param filesDeleted old files that the sink has deleted since the start
 * @param finished true if the sink has delivered its range, {@link SinkSettings#to}, and stays idle
 * @param problem why it does not deliver; null if it does
 */
public record SinkStatus(
        String name,
        Positions.Counts counts,
        long pending,
        long expired,
        long pendingBytes,
        long lagNs,
        int inFlightBatches,
        long inFlightRecords,
        long batches,
        long retries,
        long ackTotalNs,
        long ackMaxNs,
        Map<Refusal, Long> refused,
        Map<Adjustment, Long> adjusted,
        long deadLettersDeleted,
        @Nullable String lastRefused,
        long filesDeleted,
        boolean finished,
        @Nullable String problem) {}
