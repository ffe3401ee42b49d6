package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.collector.HostCounters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterCheckTest {
    private static final long JOURNAL = 7;
    private static final int AFTER_CHECKSUM = 48;

    @TempDir
    private Path directory;

    private Path file;
    private CounterFile counters;

    @BeforeEach
    void count() throws IOException {
        file = directory.resolve("counters");
        counters = CounterFile.open(file, JOURNAL, 2);
        LedgerAccounting account = LedgerAccounting.open(counters, HostCounters.read());
        for (int shard = 0; shard < 2; shard++) {
            ShardCells cells = counters.shard(shard);
            cells.add(Counter.RECEIVED_DATAGRAMS, 1_000_000);
            cells.add(DropReason.DENIED.counter(), 1000);
            cells.add(DropReason.RATE_LIMITED.counter(), 2000);
            cells.add(Counter.MERGED_CHUNKS, 3000);
            cells.add(Counter.DUPLICATE_CHUNKS, 4000);
            cells.add(Counter.JOURNALED_DATAGRAMS, 990_000);
            cells.add(Counter.EXPIRED_DATAGRAMS, 990_000);
        }
        account.close();
    }

    @Test
    void validCountersPassWithAndWithoutAChecksum() throws IOException {
        assertThat(looking().damage()).isNull();
        counters.seal();
        assertThat(looking().damage()).isNull();
        counters = CounterFile.open(file, JOURNAL, 3);
        counters.shard(0).add(Counter.TRUNCATED_DATAGRAMS, 1);
        assertThat(looking().damage()).isNull();
    }

    @Test
    void detectsEveryFlippedBitAfterACleanStop() throws IOException {
        counters.seal();
        byte[] good = Files.readAllBytes(file);
        long seed = Long.getLong("millrace.test.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            int at = AFTER_CHECKSUM + random.nextInt(good.length - AFTER_CHECKSUM);
            byte[] bad = good.clone();
            bad[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, bad);
            assertThat(looking().damage()).as("seed %d, byte %d", seed, at).contains("checksum");
        }
    }

    @Test
    void detectsAFlippedHighBitWithoutAChecksum() throws IOException {
        for (Counter counter : new Counter[] {
            Counter.RECEIVED_DATAGRAMS,
            Counter.JOURNALED_DATAGRAMS,
            DropReason.DENIED.counter(),
            Counter.MERGED_CHUNKS,
            Counter.DUPLICATE_CHUNKS,
            DropReason.CRASH.counter(),
            Counter.EXPIRED_DATAGRAMS
        }) {
            for (int bit = 30; bit < 64; bit++) {
                ShardCells cells = counters.shard(1);
                long good = cells.get(counter);
                cells.set(counter, good ^ (1L << bit));
                assertThat(looking().damage()).as("%s, bit %d", counter, bit).startsWith("shard 1: ");
                cells.set(counter, good);
            }
        }
        assertThat(looking().damage()).isNull();
    }

    /** An earlier version does not know the checksum: it leaves it as it was, and counts. */
    @Test
    void ignoresTheChecksumOfAnotherVersion() throws IOException {
        counters.seal();
        counters.shard(0).add(Counter.RECEIVED_DATAGRAMS, 5);
        assertThat(looking().damage()).contains("checksum");
        LedgerAccounting.open(counters, HostCounters.read());
        assertThat(looking().damage()).isNull();
        LedgerAccounting.ofOther(counters).close();
        assertThat(looking().damage()).isNull();
    }

    private CounterFile looking() throws IOException {
        return CounterFile.openReadOnly(file);
    }
}
