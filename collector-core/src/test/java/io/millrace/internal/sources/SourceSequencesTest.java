package io.millrace.internal.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.record.TestDatagram;
import org.junit.jupiter.api.Test;

class SourceSequencesTest {
    private static final long MS = 1_000_000L;

    private final SourceSequences.Budget budget = new SourceSequences.Budget(20);
    private final SourceSequences numbers = new SourceSequences(budget);
    private final SequenceNumberFinder finder = new SequenceNumberFinder();
    private long nowNs = 1_700_000_000_000L * MS;

    private void accept(String program, long number) {
        nowNs += MS;
        SequenceNumber found = new SequenceNumber();
        finder.find(
                TestDatagram.of("<13>1 - host " + program + " - - [meta sequenceId=\"" + number + "\"] x")
                        .view(),
                found);
        assertThat(found.scheme).isEqualTo(NumberingScheme.HOST);
        numbers.accept(NumberingScheme.HOST, found, nowNs, 0);
    }

    private long missing() {
        nowNs += 2 * SequenceStream.SETTLE_NS;
        numbers.settle(nowNs);
        assertThat(budget.missing).isEqualTo(numbers.missing());
        return numbers.missing();
    }

    @Test
    void hostWithOneSequenceIsOneStream() {
        for (int i = 1; i < 5000; i++) {
            if (i % 100 != 0) {
                accept("program" + i % 3, i);
            }
        }
        assertThat(missing()).isEqualTo(49);
    }

    @Test
    void programsWithTheirOwnSequencesAreSeveralStreams() {
        for (int i = 1; i < 5000; i++) {
            accept("one", i);
            if (i % 100 != 0) {
                accept("two", 300 + i);
            }
            accept("three", 60_000 + i);
        }
        assertThat(missing()).isEqualTo(49);
        assertThat(budget.restarts).isZero();
    }

    @Test
    void programsWithTheSameNumbersAreSeveralStreams() {
        for (int i = 1; i < 5000; i++) {
            accept("one", i);
            if (i % 100 != 0) {
                accept("two", i);
            }
        }
        assertThat(missing()).isEqualTo(49);
    }

    @Test
    void streamsAreBoundedAndIdleOnesAreReplaced() {
        for (int i = 0; i < 100; i++) {
            accept("program" + i, 1);
        }
        assertThat(budget.streams()).isEqualTo(SourceSequences.MAX_STREAMS);
        // One of the streams is the host's.
        assertThat(budget.unfollowed).isEqualTo(100 - (SourceSequences.MAX_STREAMS - 1));
        nowNs += 61_000 * MS;
        accept("another", 1);
        assertThat(budget.unfollowed).isEqualTo(100 - (SourceSequences.MAX_STREAMS - 1));
        assertThat(budget.streams()).isEqualTo(SourceSequences.MAX_STREAMS);
        numbers.drop();
        assertThat(budget.streams()).isZero();
    }

    @Test
    void totalsKeepTheGapsOfReplacedStreams() {
        accept("one", 1);
        accept("one", 4);
        assertThat(missing()).isEqualTo(2);
        nowNs += 61_000 * MS;
        for (int i = 0; i < 100; i++) {
            accept("program" + i, 5 + i);
        }
        assertThat(missing()).isEqualTo(2);
    }
}
