package io.millrace.internal.counters;

import io.millrace.collector.Counter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Validator of the values of a {@link CounterFile}. After a clean stop it compares a checksum. A running process
 * maintains no checksum, because that would cost time for each batch; after a kill the values are checked for
 * contradictions. Any thread.
 */
final class CounterCheck {
    /** 2^56 ns are two years; 2^56 bytes are 64 PiB. */
    private static final long MAX_TOTAL = 1L << 56;
    /** The maximum of received datagrams in the memory of a killed process: more than 10 GiB of the shortest datagrams. */
    private static final long MAX_IN_FLIGHT = 1L << 28;
    /** After a power failure, cells on the disk may have slightly different times. */
    private static final long MAX_SKEW = 1L << 20;

    private CounterCheck() {}

    /** Describes what is invalid; null if the values are valid. */
    static @Nullable String damage(CounterFile counters) {
        if (counters.isChecksumWrong()) {
            return "its content does not match its checksum";
        }
        for (int shard = 0; shard < counters.shardCount(); shard++) {
            String damage = damage(counters.shard(shard));
            if (damage != null) {
                return "shard " + shard + ": " + damage;
            }
        }
        return null;
    }

    private static @Nullable String damage(ShardCells cells) {
        for (Counter counter : Counter.values()) {
            long value = cells.get(counter);
            if (counter.kind() == Counter.Kind.TOTAL && (value < 0 || value > MAX_TOTAL)) {
                return String.format(Locale.ROOT, "%s is %d", counter.metricName(), value);
            }
        }
        long expired = cells.get(Counter.EXPIRED_DATAGRAMS);
        // Reads in reverse order of writing, because a process may be counting.
        long journaled = cells.get(Counter.JOURNALED_DATAGRAMS);
        long accounted = cells.accounted();
        long received = cells.get(Counter.RECEIVED_DATAGRAMS);
        if (accounted - received > MAX_SKEW || received - accounted > MAX_IN_FLIGHT) {
            return String.format(
                    Locale.ROOT,
                    "%d datagrams were received, but %d were journaled, and %d were refused, merged or lost in a crash",
                    received,
                    journaled,
                    accounted - journaled);
        }
        return expired - journaled > MAX_SKEW
                ? String.format(
                        Locale.ROOT, "retention deleted %d datagrams, but %d were journaled", expired, journaled)
                : null;
    }
}
