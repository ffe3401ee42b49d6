package io.millrace.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerBookTest {
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

    @Test
    void newBookIsEmptyButForTheLifetime() {
        Ledger ledger = new LedgerBook(counters).read(true, true);
        assertThat(ledger.received()).isZero();
        assertThat(ledger.journaled()).isZero();
        assertThat(ledger.inFlight()).isZero();
        assertThat(ledger.crash()).isZero();
        assertThat(ledger.afterStop()).isZero();
        assertThat(ledger.truncated()).isZero();
        assertThat(ledger.dropped()).isEqualTo(new Ledger.Dropped(0L, 0, 0, 0));
        assertThat(ledger.lifetime()).isEqualTo(new Ledger.Lifetime(200, 180, 20, new Ledger.Dropped(14L, 0, 0, 0)));
    }

    @Test
    void figuresAreSinceTheStartAndOverAllShards() {
        LedgerBook book = new LedgerBook(counters);
        add(0, Counter.RECEIVED_DATAGRAMS, 50);
        add(1, Counter.RECEIVED_DATAGRAMS, 30);
        add(0, Counter.JOURNALED_DATAGRAMS, 44);
        add(1, Counter.JOURNALED_DATAGRAMS, 30);
        add(1, Counter.CRASH_DATAGRAMS, 2);
        add(0, Counter.SOCKET_DROPS, 5);
        add(1, Counter.AFTER_STOP_DROPS, 4);
        add(1, Counter.TRUNCATED_DATAGRAMS, 1);

        Ledger ledger = book.read(true, true);
        assertThat(ledger.received()).isEqualTo(80);
        assertThat(ledger.journaled()).isEqualTo(74);
        assertThat(ledger.crash()).isEqualTo(2);
        assertThat(ledger.inFlight()).isEqualTo(4);
        assertThat(ledger.received()).isEqualTo(ledger.journaled() + ledger.crash() + ledger.inFlight());
        assertThat(ledger.afterStop()).isEqualTo(4);
        assertThat(ledger.truncated()).isEqualTo(1);
        assertThat(ledger.expiredUnread()).isZero();
        assertThat(ledger.dropped()).isEqualTo(new Ledger.Dropped(5L, 0, 0, 0));
        assertThat(ledger.lifetime()).isEqualTo(new Ledger.Lifetime(280, 254, 22, new Ledger.Dropped(19L, 0, 0, 0)));
        assertThat(book.since(Counter.SOCKET_DROPS)).isEqualTo(5);
    }

    @Test
    void figureThatCannotBeReadIsNullAndNotZero() {
        LedgerBook book = new LedgerBook(counters);
        add(0, Counter.SOCKET_DROPS, 5);
        Ledger unknown = book.read(false, false);
        assertThat(unknown.dropped().socketBuffer()).isNull();
        assertThat(unknown.lifetime().dropped().socketBuffer()).isNull();
        assertThat(unknown.afterStop()).isNull();
        assertThat(book.read(true, false).dropped().socketBuffer()).isEqualTo(5);
        assertThat(book.read(false, true).afterStop()).isZero();
    }

    private void add(int shard, Counter counter, long amount) {
        counters.shard(shard).add(counter, amount);
    }
}
