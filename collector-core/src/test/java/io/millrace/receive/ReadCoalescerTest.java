package io.millrace.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ReadCoalescerTest {
    private static final long US = 1_000;
    private static final int BUFFER = 64 << 20;

    private long nowNs = 1_000_000_000;

    /** Waits, then reads for a while; returns how long the receiver then rests. */
    private long pass(ReadCoalescer coalescer, long waitedNs, long tookNs, int received, boolean emptied) {
        long startNs = nowNs + waitedNs;
        nowNs = startNs + tookNs;
        long restNs = coalescer.restNs(received, 125L * received, emptied, startNs, nowNs);
        nowNs += restNs;
        coalescer.rested(nowNs);
        return restNs;
    }

    @Test
    void aQuietReceiverDoesNotRest() {
        ReadCoalescer coalescer = new ReadCoalescer(BUFFER, nowNs);

        assertThat(pass(coalescer, ReadCoalescer.BUSY_NS, 2 * US, 1, true)).isZero();
        assertThat(pass(coalescer, 10_000 * US, 500 * US, 400, true)).isZero();
    }

    @Test
    void aBusyReceiverRestsHoweverLongItReads() {
        ReadCoalescer coalescer = new ReadCoalescer(BUFFER, nowNs);

        assertThat(pass(coalescer, 10 * US, 1 * US, 1, true)).isEqualTo(ReadCoalescer.REST_NS);
        assertThat(pass(coalescer, 10 * US, 5_000 * US, 5_000, true)).isEqualTo(ReadCoalescer.REST_NS);
    }

    @Test
    void oneWithMoreToReadDoesNotRest() {
        ReadCoalescer coalescer = new ReadCoalescer(BUFFER, nowNs);

        assertThat(pass(coalescer, 0, 400 * US, 512, false)).isZero();
        assertThat(pass(coalescer, 0, 10 * US, 10, true)).isEqualTo(ReadCoalescer.REST_NS);
    }

    /** 212,992 bytes are what a host grants that nobody has set up. */
    @Test
    void aSmallBufferIsNotLeftToFill() {
        ReadCoalescer coalescer = new ReadCoalescer(212_992, nowNs);
        long quarter = 2 * 212_992 / (1_280 + 2 * 125) / 4;

        assertThat(pass(coalescer, 0, 500 * US, 100, true))
                .as("at 200,000 datagrams a second")
                .isCloseTo(quarter * 1_000_000_000 / 200_000 - 50 * US, within(5 * US));
        assertThat(pass(coalescer, 0, 100 * US, 10_000, true))
                .as("it would be too short to pay")
                .isZero();
    }

    @Test
    void whatSeveralPassesBroughtIsTheRate() {
        ReadCoalescer coalescer = new ReadCoalescer(212_992, nowNs);

        assertThat(pass(coalescer, 0, 100 * US, 5_000, false)).isZero();
        assertThat(pass(coalescer, 0, 1 * US, 1, true)).isZero();
    }
}
