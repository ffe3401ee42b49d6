package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerAccountingTest {
    @TempDir
    Path directory;

    private CounterFile counters;

    @BeforeEach
    void earlierProcess() throws IOException {
        counters = CounterFile.open(directory.resolve("counters"), 1, 2);
        for (int shard = 0; shard < 2; shard++) {
            add(shard, Counter.RECEIVED_DATAGRAMS, 100);
            add(shard, Counter.JOURNALED_DATAGRAMS, 90);
            add(shard, Counter.CRASH_DATAGRAMS, 10);
            add(shard, Counter.SOCKET_DROPS, 7);
            add(shard, Counter.AFTER_STOP_DROPS, 3);
            add(shard, Counter.TRUNCATED_DATAGRAMS, 2);
        }
    }

    /** After a handoff the cells are those of the next process. */
    @Test
    void closedLedgerDoesNotChange() throws IOException {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.RECEIVED_DATAGRAMS, 5);
        add(0, Counter.JOURNALED_DATAGRAMS, 5);
        account.close();
        LedgerAccounting next = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.RECEIVED_DATAGRAMS, 1000);
        assertThat(account.read().received()).isEqualTo(5);
        assertThat(account.read().inFlight()).isZero();
        assertThat(next.read().received()).isEqualTo(1000);
    }

    @Test
    void runThatDidNotStopIsKnownToTheNextProcess() {
        assertThat(counters.unstoppedSince()).as("no process yet").isNull();
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        assertThat(counters.unstoppedSince()).isEqualTo(account.read().startedAt());
        account.close();
        assertThat(counters.unstoppedSince()).isNull();
    }

    @Test
    void killIsInTheLedgerOfTheNextProcessAndThenInTheLifetimeOnly() {
        assertThat(LedgerAccounting.open(counters, HostCounters.read()).read().lastKilled())
                .as("no process yet")
                .isFalse();
        LedgerAccounting lastKilled = LedgerAccounting.open(counters, HostCounters.read());
        assertThat(lastKilled.read().lastKilled()).isTrue();
        assertThat(lastKilled.read().lifetime().kills()).isEqualTo(1);
        lastKilled.close();
        Ledger afterStop = LedgerAccounting.open(counters, HostCounters.read()).read();
        assertThat(afterStop.lastKilled()).isFalse();
        assertThat(afterStop.lifetime().kills()).isEqualTo(1);
    }

    @Test
    void newLedgerIsEmptyExceptForTheLifetime() {
        Ledger ledger = LedgerAccounting.open(counters, HostCounters.read()).read();
        assertThat(ledger.received()).isZero();
        assertThat(ledger.journaled()).isZero();
        assertThat(ledger.inFlight()).isZero();
        assertThat(ledger.crash()).isZero();
        assertThat(ledger.afterStop()).isZero();
        assertThat(ledger.truncated()).isZero();
        assertThat(ledger.dropped()).isEqualTo(new Ledger.Dropped(0L, 0L, 0, 0, 0));
        assertThat(ledger.lifetime())
                .isEqualTo(new Ledger.Lifetime(
                        200, 180, 20, 6, new Ledger.Chunks(0, 0), new Ledger.Dropped(14L, 0L, 0, 0, 0), 0, 0));
    }

    @Test
    void countsAreSinceTheStartAndOverAllShards() {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.RECEIVED_DATAGRAMS, 55);
        add(1, Counter.RECEIVED_DATAGRAMS, 37);
        add(0, Counter.JOURNALED_DATAGRAMS, 44);
        add(1, Counter.JOURNALED_DATAGRAMS, 30);
        add(1, Counter.CRASH_DATAGRAMS, 2);
        add(0, Counter.DENIED_DATAGRAMS, 1);
        add(0, Counter.FILTERED_DATAGRAMS, 5);
        add(1, Counter.RATE_LIMITED_DATAGRAMS, 2);
        add(0, Counter.MERGED_CHUNKS, 3);
        add(1, Counter.DUPLICATE_CHUNKS, 4);
        add(0, Counter.SOCKET_DROPS, 5);
        add(1, Counter.JOURNAL_FULL_DROPS, 6);
        add(1, Counter.AFTER_STOP_DROPS, 4);
        add(1, Counter.TRUNCATED_DATAGRAMS, 1);
        add(1, Counter.EXPIRED_UNREAD_DATAGRAMS, 9);

        Ledger ledger = account.read();
        assertThat(ledger.received()).isEqualTo(92);
        assertThat(ledger.journaled()).isEqualTo(74);
        assertThat(ledger.crash()).isEqualTo(2);
        assertThat(ledger.inFlight()).isEqualTo(1);
        assertThat(ledger.received())
                .isEqualTo(ledger.journaled()
                        + ledger.chunks().merged()
                        + ledger.chunks().duplicates()
                        + ledger.dropped().denied()
                        + ledger.dropped().filtered()
                        + ledger.dropped().rateLimited()
                        + ledger.crash()
                        + ledger.inFlight());
        assertThat(ledger.afterStop()).isEqualTo(4);
        assertThat(ledger.truncated()).isEqualTo(1);
        assertThat(ledger.expiredUnread()).isEqualTo(9);
        assertThat(ledger.dropped()).isEqualTo(new Ledger.Dropped(5L, 6L, 1, 5, 2));
        assertThat(ledger.lifetime())
                .isEqualTo(new Ledger.Lifetime(
                        292, 254, 22, 10, new Ledger.Chunks(3, 4), new Ledger.Dropped(19L, 6L, 1, 5, 2), 9, 0));
        assertThat(account.since(Counter.SOCKET_DROPS)).isEqualTo(5);
    }

    @Test
    void unreadableCountIsNull() {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.SOCKET_DROPS, 5);
        counters.shard(1).set(Counter.SOCKET_DROPS_UNKNOWN, 1);
        Ledger unknown = account.read();
        assertThat(unknown.dropped().socketBuffer()).isNull();
        assertThat(unknown.dropped().journalFull()).isNull();
        assertThat(unknown.lifetime().dropped().socketBuffer()).isNull();
        assertThat(unknown.afterStop()).isZero();
        counters.shard(1).set(Counter.SOCKET_DROPS_UNKNOWN, 0);
        counters.shard(0).set(Counter.AFTER_STOP_UNKNOWN, 1);
        assertThat(account.read().dropped().socketBuffer()).isEqualTo(5);
        assertThat(account.read().afterStop()).isNull();
    }

    @Test
    void anotherProcessReadsTheSameLedger() throws IOException {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        LedgerAccounting other = LedgerAccounting.ofOther(CounterFile.openReadOnly(directory.resolve("counters")));
        add(0, Counter.RECEIVED_DATAGRAMS, 50);
        assertThat(other.read().received()).isEqualTo(50);
        assertThat(other.read().startedAt())
                .isEqualTo(account.read().startedAt())
                .isNotNull();
        assertThat(other.read().stoppedAt()).isNull();
        account.close();
        assertThat(other.read()).isEqualTo(account.read());
        assertThat(other.read().stoppedAt()).isNotNull();
    }

    @Test
    void nextRunBeginsAtZero() {
        LedgerAccounting first = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.RECEIVED_DATAGRAMS, 50);
        first.close();
        LedgerAccounting next = LedgerAccounting.open(counters, HostCounters.read());
        assertThat(next.read().received()).isZero();
        assertThat(next.read().stoppedAt()).isNull();
        assertThat(next.read().lifetime().received()).isEqualTo(250);
    }

    @Test
    void everyDropPointHasItsCount() {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.SOCKET_DROPS, 1);
        add(0, Counter.JOURNAL_FULL_DROPS, 2);
        add(0, Counter.CRASH_DATAGRAMS, 3);
        add(0, Counter.AFTER_STOP_DROPS, 4);
        add(0, Counter.DENIED_DATAGRAMS, 5);
        add(0, Counter.RATE_LIMITED_DATAGRAMS, 6);
        Ledger ledger = account.read();
        assertThat(DropReason.SOCKET_BUFFER.now(ledger)).isEqualTo(1);
        assertThat(DropReason.JOURNAL_FULL.now(ledger)).isEqualTo(2);
        assertThat(DropReason.CRASH.now(ledger)).isEqualTo(3);
        assertThat(DropReason.DENIED.now(ledger)).isEqualTo(5);
        assertThat(DropReason.RATE_LIMITED.now(ledger)).isEqualTo(6);
        assertThat(DropReason.AFTER_STOP.now(ledger)).isEqualTo(4);
        assertThat(DropReason.AFTER_STOP.lifetime(ledger)).isEqualTo(10);
        assertThat(Arrays.stream(HostCounter.values())
                        .filter(HostCounter::isLoss)
                        .map(HostCounter::key))
                .containsAll(Arrays.stream(DropReason.values())
                        .filter(place -> !place.isOurs())
                        .map(DropReason::key)
                        .toList());
        assertThat(DropReason.values()).extracting(DropReason::key).doesNotHaveDuplicates();
    }

    private void add(int shard, Counter counter, long amount) {
        counters.shard(shard).add(counter, amount);
    }

    @Test
    void pageOfDropReasonsHasEachInPathOrder() throws IOException {
        Pattern row = Pattern.compile("\\| ([^|`]+) \\| `(?:\\w+\\.)?(\\w+)` \\|.*\\(.+\\.md.*\\) \\|");
        assertThat(Files.readAllLines(Path.of("..", "docs", "operate", "drop-reasons.md")).stream()
                        .map(row::matcher)
                        .filter(Matcher::matches)
                        .map(cells -> cells.group(1) + ": " + cells.group(2)))
                .containsExactlyElementsOf(Arrays.stream(DropReason.values())
                        .map(reason -> reason.title() + ": " + reason.key())
                        .toList());
    }
}
