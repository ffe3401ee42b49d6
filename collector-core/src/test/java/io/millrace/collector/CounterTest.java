package io.millrace.collector;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.counters.CounterFile;
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
        }
    }

    @Test
    void idsOfTheFileFormatDoNotChange() {
        // A counter file on a user's disk holds the cells at these places. New counters are added here, too; none is
        // changed.
        assertThat(Counter.values().stream().map(counter -> counter.id() + " " + counter))
                .containsExactly(
                        "0 received.datagrams",
                        "1 received.bytes",
                        "2 truncated.datagrams",
                        "3 receive.errors",
                        "4 socket.drops",
                        "5 after.stop.drops",
                        "6 back.pressure.seconds",
                        "7 ring.depth.max",
                        "8 receiver.cycle.max.seconds",
                        "9 journal.full.drops",
                        "10 socket.drops.unknown",
                        "11 after.stop.unknown",
                        "12 receiver.stalls",
                        "13 denied.datagrams",
                        "14 rate.limited.datagrams",
                        "15 stream.read.bytes",
                        "16 stream.payload.bytes",
                        "17 stream.framing.bytes",
                        "18 stream.skipped.bytes",
                        "19 after.stop.bytes",
                        "20 filtered.datagrams",
                        "24 merged.chunks",
                        "25 duplicate.chunks",
                        "26 incomplete.chunks",
                        "32 journaled.datagrams",
                        "33 journaled.batches",
                        "34 journaled.bytes",
                        "35 journal.errors",
                        "36 writer.cycle.max.seconds",
                        "37 journal.blocked",
                        "38 writer.stalls",
                        "39 journal.full",
                        "40 journal.syncs",
                        "41 journal.sync.errors",
                        "48 expired.datagrams",
                        "49 expired.unread.datagrams",
                        "64 crash.datagrams",
                        "65 not.exported.datagrams",
                        "66 process.kills",
                        "67 power.failure.datagrams");
    }
}
