package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.counters.CounterFile;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CounterTest {
    @Test
    void idsAndNamesAreUnique() {
        assertThat(Counter.values()).extracting(Counter::id).doesNotHaveDuplicates();
        assertThat(Counter.values()).extracting(Counter::metricName).doesNotHaveDuplicates();
        assertThat(Counter.values()).extracting(Counter::help).doesNotHaveDuplicates();
    }

    @Test
    void everyIdHasACell() {
        assertThat(Counter.values())
                .allSatisfy(counter -> assertThat(counter.id()).isBetween(0, CounterFile.CELLS_PER_SHARD - 1));
    }

    @Test
    void namesAreDottedAndHelpIsOneLine() {
        for (Counter counter : Counter.values()) {
            assertThat(counter.metricName()).matches("[a-z]+(\\.[a-z]+)+");
            assertThat(counter.help()).matches("[A-Z].*[^.\\s]");
            assertThat(counter.metricName().endsWith(".seconds"))
                    .isEqualTo(counter.name().endsWith("_NS"));
        }
    }

    @Test
    void idsOfTheFileFormatDoNotChange() {
        // A counter file on a user's disk holds the cells at these places. New counters are added here, too; none is
        // changed.
        assertThat(Arrays.stream(Counter.values()).map(counter -> counter.id() + " " + counter))
                .containsExactly(
                        "0 RECEIVED_DATAGRAMS",
                        "1 RECEIVED_BYTES",
                        "2 TRUNCATED_DATAGRAMS",
                        "3 RECEIVE_ERRORS",
                        "4 SOCKET_DROPS",
                        "5 AFTER_STOP_DROPS",
                        "6 BACK_PRESSURE_NS",
                        "7 RING_DEPTH_MAX",
                        "8 RECEIVER_CYCLE_MAX_NS",
                        "9 JOURNAL_FULL_DROPS",
                        "10 SOCKET_DROPS_UNKNOWN",
                        "11 AFTER_STOP_UNKNOWN",
                        "12 RECEIVER_STALLS",
                        "13 DENIED_DATAGRAMS",
                        "14 RATE_LIMITED_DATAGRAMS",
                        "15 STREAM_READ_BYTES",
                        "16 STREAM_PAYLOAD_BYTES",
                        "17 STREAM_FRAMING_BYTES",
                        "18 STREAM_SKIPPED_BYTES",
                        "19 AFTER_STOP_BYTES",
                        "20 FILTERED_DATAGRAMS",
                        "24 MERGED_CHUNKS",
                        "25 DUPLICATE_CHUNKS",
                        "26 INCOMPLETE_CHUNKS",
                        "32 JOURNALED_DATAGRAMS",
                        "33 JOURNALED_BATCHES",
                        "34 JOURNALED_BYTES",
                        "35 JOURNAL_ERRORS",
                        "36 WRITER_CYCLE_MAX_NS",
                        "37 JOURNAL_BLOCKED",
                        "38 WRITER_STALLS",
                        "39 JOURNAL_FULL",
                        "40 JOURNAL_SYNCS",
                        "41 JOURNAL_SYNC_ERRORS",
                        "48 EXPIRED_DATAGRAMS",
                        "49 EXPIRED_UNREAD_DATAGRAMS",
                        "64 CRASH_DATAGRAMS",
                        "65 NOT_EXPORTED_DATAGRAMS",
                        "66 PROCESS_KILLS");
    }
}
