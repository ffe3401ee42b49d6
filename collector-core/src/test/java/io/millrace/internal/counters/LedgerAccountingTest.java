package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounter;
import io.millrace.collector.HostCounters;
import io.millrace.collector.Ledger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
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
            add(shard, DropReason.CRASH.counter(), 10);
            add(shard, DropReason.SOCKET_BUFFER.counter(), 7);
            add(shard, DropReason.AFTER_STOP.counter(), 3);
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
        assertThat(ledger.dropped(DropReason.CRASH)).isZero();
        assertThat(ledger.dropped(DropReason.AFTER_STOP)).isZero();
        assertThat(ledger.truncated()).isZero();
        assertThat(ledger.drops()).isEqualTo(drops(0, 0, 0, 0, 0, 0, 0, 0));
        assertThat(ledger.lifetime())
                .isEqualTo(
                        new Ledger.Lifetime(200, 180, new Ledger.Chunks(0, 0), drops(14, 0, 0, 0, 0, 20, 0, 6), 0, 0));
    }

    @Test
    void countsAreSinceTheStartAndOverAllShards() {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, Counter.RECEIVED_DATAGRAMS, 55);
        add(1, Counter.RECEIVED_DATAGRAMS, 37);
        add(0, Counter.JOURNALED_DATAGRAMS, 44);
        add(1, Counter.JOURNALED_DATAGRAMS, 30);
        add(1, DropReason.CRASH.counter(), 2);
        // Three of the journaled numbers.
        add(0, DropReason.POWER_FAILURE.counter(), 3);
        add(0, DropReason.DENIED.counter(), 1);
        add(0, DropReason.FILTERED.counter(), 5);
        add(1, DropReason.RATE_LIMITED.counter(), 2);
        add(0, Counter.MERGED_CHUNKS, 3);
        add(1, Counter.DUPLICATE_CHUNKS, 4);
        add(0, DropReason.SOCKET_BUFFER.counter(), 5);
        add(1, DropReason.JOURNAL_FULL.counter(), 6);
        add(1, DropReason.AFTER_STOP.counter(), 4);
        add(1, Counter.TRUNCATED_DATAGRAMS, 1);
        add(1, Counter.EXPIRED_UNREAD_DATAGRAMS, 9);

        Ledger ledger = account.read();
        assertThat(ledger.received()).isEqualTo(92);
        assertThat(ledger.journaled()).isEqualTo(71);
        assertThat(ledger.dropped(DropReason.CRASH)).isEqualTo(2);
        assertThat(ledger.inFlight()).isEqualTo(1);
        assertThat(ledger.received())
                .isEqualTo(ledger.journaled()
                        + ledger.chunks().merged()
                        + ledger.chunks().duplicates()
                        + ledger.dropped(DropReason.DENIED)
                        + ledger.dropped(DropReason.FILTERED)
                        + ledger.dropped(DropReason.RATE_LIMITED)
                        + ledger.dropped(DropReason.CRASH)
                        + ledger.dropped(DropReason.POWER_FAILURE)
                        + ledger.inFlight());
        assertThat(ledger.dropped(DropReason.AFTER_STOP)).isEqualTo(4);
        assertThat(ledger.truncated()).isEqualTo(1);
        assertThat(ledger.expiredUnread()).isEqualTo(9);
        assertThat(ledger.drops()).isEqualTo(drops(5, 6, 1, 5, 2, 2, 3, 4));
        assertThat(ledger.lifetime())
                .isEqualTo(
                        new Ledger.Lifetime(292, 251, new Ledger.Chunks(3, 4), drops(19, 6, 1, 5, 2, 22, 3, 10), 9, 0));
        assertThat(account.since(DropReason.SOCKET_BUFFER.counter())).isEqualTo(5);
    }

    @Test
    void unreadableCountIsNull() {
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        add(0, DropReason.SOCKET_BUFFER.counter(), 5);
        counters.shard(1).set(Counter.SOCKET_DROPS_UNKNOWN, 1);
        Ledger unknown = account.read();
        assertThat(unknown.dropped(DropReason.SOCKET_BUFFER)).isNull();
        assertThat(unknown.dropped(DropReason.JOURNAL_FULL)).isNull();
        assertThat(unknown.lifetime().dropped(DropReason.SOCKET_BUFFER)).isNull();
        assertThat(unknown.dropped(DropReason.AFTER_STOP)).isZero();
        counters.shard(1).set(Counter.SOCKET_DROPS_UNKNOWN, 0);
        counters.shard(0).set(Counter.AFTER_STOP_UNKNOWN, 1);
        assertThat(account.read().dropped(DropReason.SOCKET_BUFFER)).isEqualTo(5);
        assertThat(account.read().dropped(DropReason.AFTER_STOP)).isNull();
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
        add(0, DropReason.SOCKET_BUFFER.counter(), 1);
        add(0, DropReason.JOURNAL_FULL.counter(), 2);
        add(0, DropReason.CRASH.counter(), 3);
        add(0, DropReason.AFTER_STOP.counter(), 4);
        add(0, DropReason.DENIED.counter(), 5);
        add(0, DropReason.RATE_LIMITED.counter(), 6);
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

    /** The losses of our reasons, in the order of the path. */
    private static Map<DropReason, Long> drops(long... values) {
        Map<DropReason, Long> drops = new EnumMap<>(DropReason.class);
        for (DropReason reason : DropReason.values()) {
            if (reason.isOurs()) {
                drops.put(reason, values[drops.size()]);
            }
        }
        return drops;
    }
}
