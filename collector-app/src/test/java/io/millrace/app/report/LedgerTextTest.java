package io.millrace.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import io.millrace.sink.Positions;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LedgerTextTest {
    private static Map<DropReason, Long> drops(
            @Nullable Long socketBuffer, @Nullable Long journalFull, long denied, long filtered, long rateLimited) {
        Map<DropReason, Long> drops = new EnumMap<>(Map.of(
                DropReason.DENIED,
                denied,
                DropReason.FILTERED,
                filtered,
                DropReason.RATE_LIMITED,
                rateLimited,
                DropReason.CRASH,
                0L,
                DropReason.POWER_FAILURE,
                0L,
                DropReason.AFTER_STOP,
                1_373L));
        if (socketBuffer != null) {
            drops.put(DropReason.SOCKET_BUFFER, socketBuffer);
        }
        if (journalFull != null) {
            drops.put(DropReason.JOURNAL_FULL, journalFull);
        }
        return drops;
    }

    private static Ledger ledger(Map<DropReason, Long> drops, HostCounters host) {
        return new Ledger(
                Instant.parse("2026-11-21T08:00:00Z"),
                Instant.parse("2026-11-21T09:02:03Z"),
                1_234_567,
                1_234_000,
                67,
                new Ledger.Chunks(0, 0),
                drops,
                host,
                2,
                0,
                new Ledger.Streams(0, 0, 0, 0, 0, 0),
                true,
                new Ledger.Lifetime(9_000_000, 8_900_000, new Ledger.Chunks(0, 0), drops, 0, 3));
    }

    @Test
    void closingLinesOmitZeroValues() {
        assertThat(LedgerText.closing(
                        ledger(drops(12_345L, 0L, 0, 0, 0), HostCounters.of(Map.of(HostCounter.NIC, 0L)))))
                .startsWith(
                        "millrace: ledger: received 1234567 = journaled 1234000 + in flight 67; dropped at the socket 12345,"
                                + " after the stop 1373; truncated 2")
                .contains("driver unavailable")
                .doesNotContain("network card");
        assertThat(LedgerText.closing(ledger(drops(null, 7_000L, 200, 0, 300), HostCounters.of(Map.of()))))
                .contains(
                        "+ in flight 67 + denied 200 + rate limited 300; dropped at the socket unavailable, for a blocked"
                                + " journal 7000, after");
    }

    @Test
    void pageListsEveryDropPointWithItsSource() {
        String page = LedgerText.page(
                ledger(drops(12_345L, 0L, 200, 0, 300), HostCounters.of(Map.of(HostCounter.NIC, 9_000L))),
                true,
                null,
                List.of(
                        new LedgerText.Delivered("archive", false, new Positions.Counts(1_000, 2, 3, 4), 5_000, 0),
                        new LedgerText.Delivered("old", true, new Positions.Counts(0, 0, 0, 0), 0, 0)));
        for (DropReason place : DropReason.values()) {
            assertThat(page).contains(place.title()).contains(place.source());
        }
        assertThat(page).containsPattern("processes killed +1 +3 ");
        assertThat(page)
                .contains("1 h 2 min", "1,234,567", "up to 9,000", "unavailable", "12,345")
                .contains("output archive: acknowledged 1,000, filtered 2, dead letters 3, missing 4, pending 5,000")
                .contains("output old (removed from the configuration): acknowledged 0");
    }

    /** With {@code gro} 60,264 of the host's drops were 964,224 datagrams. */
    @Test
    void hostCountersAreNoBoundWithGroBatches() {
        HostCounters host = HostCounters.of(Map.of(HostCounter.UDP_RECEIVE_BUFFER, 60_264L));
        Ledger groBatches = ledger(drops(null, null, 0, 0, 0), host);
        assertThat(LedgerText.closing(groBatches))
                .contains("on the whole host, where a GRO batch may count as one: ", "any socket's buffer 60264")
                .doesNotContain("at most");
        assertThat(LedgerText.page(groBatches, true, null, List.of()))
                .contains("60,264")
                .doesNotContain("up to");
        assertThat(LedgerText.closing(ledger(drops(0L, 0L, 0, 0, 0), host)))
                .contains("on the whole host, so Millrace's are at most: ");
    }
}
