package io.millrace.internal.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import io.millrace.collector.Counter;
import io.millrace.collector.HostCounters;
import java.io.IOException;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CounterFileTest {
    private static final long JOURNAL = 0x0123456789abcdefL;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void locate() {
        file = directory.resolve("counters");
    }

    @Test
    void newFileIsZeroAndHasRoomForItsShards() throws IOException {
        CounterFile counters = CounterFile.open(file, JOURNAL, 3);
        assertThat(counters.shardCount()).isEqualTo(3);
        for (Counter counter : Counter.values()) {
            assertThat(counters.sum(counter)).isZero();
        }
        assertThat(Files.size(file)).isEqualTo(4096 + 3 * 8192);
    }

    @Test
    void otherProcessesSeeTheLastSignOfLife() throws IOException {
        CounterFile counters = CounterFile.open(file, JOURNAL, 1);
        assertThat(counters.aliveAt()).isNull();
        counters.noteAlive();
        assertThat(CounterFile.openReadOnly(file).aliveAt()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        // That of a process before this one says nothing.
        counters.noteStart(TimeUnit.SECONDS.toNanos(Instant.now().getEpochSecond() + 5), HostCounters.of(Map.of()));
        assertThat(counters.aliveAt()).isNull();
    }

    @Test
    void cellsAreIndependentAndSummedOverShards() throws IOException {
        CounterFile counters = CounterFile.open(file, JOURNAL, 3);
        fill(counters);
        for (Counter counter : Counter.values()) {
            for (int shard = 0; shard < 3; shard++) {
                assertThat(counters.shard(shard).get(counter)).isEqualTo(value(shard, counter));
            }
            assertThat(counters.sum(counter)).isEqualTo(value(0, counter) + value(1, counter) + value(2, counter));
        }
    }

    @Test
    void keepsValuesWhenTheNumberOfShardsChanges() throws IOException {
        fill(CounterFile.open(file, JOURNAL, 1));
        for (int shards : new int[] {1, 4, 2}) {
            CounterFile counters = CounterFile.open(file, JOURNAL, shards);
            assertThat(counters.shardCount()).isEqualTo(shards == 1 ? 1 : 4);
            for (Counter counter : Counter.values()) {
                assertThat(counters.sum(counter)).isEqualTo(value(0, counter));
            }
        }
    }

    @Test
    void addSetAndRaiseChangeTheCell() throws IOException {
        ShardCells shard = CounterFile.open(file, JOURNAL, 1).shard(0);
        shard.add(Counter.RECEIVED_DATAGRAMS, 5);
        shard.add(Counter.RECEIVED_DATAGRAMS, 0);
        shard.add(Counter.RECEIVED_DATAGRAMS, 7);
        assertThat(shard.get(Counter.RECEIVED_DATAGRAMS)).isEqualTo(12);
        shard.set(Counter.JOURNALED_DATAGRAMS, 40);
        shard.set(Counter.JOURNALED_DATAGRAMS, 30);
        assertThat(shard.get(Counter.JOURNALED_DATAGRAMS)).isEqualTo(30);
        shard.raise(Counter.RING_DEPTH_MAX, 3);
        shard.raise(Counter.RING_DEPTH_MAX, 2);
        assertThat(shard.get(Counter.RING_DEPTH_MAX)).isEqualTo(3);
        shard.raise(Counter.RING_DEPTH_MAX, 4);
        assertThat(shard.get(Counter.RING_DEPTH_MAX)).isEqualTo(4);
    }

    @Test
    void resetClearsOnlyCountersOfAProcess() throws IOException {
        CounterFile counters = CounterFile.open(file, JOURNAL, 2);
        fill(counters);
        counters.shard(0).reset();
        for (Counter counter : Counter.values()) {
            long kept = counter.kind() == Counter.Kind.TOTAL ? value(0, counter) : 0;
            assertThat(counters.shard(0).get(counter)).as(counter.toString()).isEqualTo(kept);
            assertThat(counters.shard(1).get(counter)).as(counter.toString()).isEqualTo(value(1, counter));
        }
    }

    @Test
    void rejectsTheFileOfAnotherJournal() throws IOException {
        fill(CounterFile.open(file, JOURNAL, 1));
        byte[] before = Files.readAllBytes(file);
        assertThatIOException()
                .isThrownBy(() -> CounterFile.open(file, 0x99L, 1))
                .withMessageContaining(file.toString())
                .withMessageContaining("0123456789abcdef")
                .withMessageContaining("0000000000000099");
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void rejectsAnInvalidFile() throws IOException {
        byte[] text = new byte[10_000];
        Arrays.fill(text, (byte) 'x');
        Files.write(file, text);
        assertThatIOException()
                .isThrownBy(() -> CounterFile.open(file, JOURNAL, 1))
                .withMessageContaining(file + " is not a Millrace counter file");
        assertThatIOException()
                .isThrownBy(() -> CounterFile.openReadOnly(file))
                .withMessageContaining(file + " is not a Millrace counter file");
        assertThat(Files.readAllBytes(file)).isEqualTo(text);
    }

    @Test
    void recreatesAnIncompleteFile() throws IOException {
        for (int length : new int[] {0, 100, 4096, 9000, 4096 + 8192}) {
            Files.write(file, new byte[length]);
            CounterFile.open(file, JOURNAL, 1).shard(0).add(Counter.RECEIVED_DATAGRAMS, 1);
            assertThat(CounterFile.open(file, JOURNAL, 1).sum(Counter.RECEIVED_DATAGRAMS))
                    .as("%d bytes", length)
                    .isEqualTo(1);
        }
    }

    @Test
    void completesAnInterruptedGrowth() throws IOException {
        fill(CounterFile.open(file, JOURNAL, 1));
        Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 4096 + 8192 + 100));
        CounterFile counters = CounterFile.open(file, JOURNAL, 2);
        assertThat(counters.shardCount()).isEqualTo(2);
        assertThat(counters.sum(Counter.RECEIVED_BYTES)).isEqualTo(value(0, Counter.RECEIVED_BYTES));
    }

    @Test
    void readOnlyFileShowsChangesAndCannotWrite() throws IOException {
        CounterFile counters = CounterFile.open(file, JOURNAL, 2);
        CounterFile looking = CounterFile.openReadOnly(file);
        fill(counters);
        assertThat(looking.shardCount()).isEqualTo(2);
        assertThat(looking.shard(1).get(Counter.JOURNALED_BATCHES)).isEqualTo(value(1, Counter.JOURNALED_BATCHES));
        assertThatExceptionOfType(ReadOnlyBufferException.class)
                .isThrownBy(() -> looking.shard(0).add(Counter.RECEIVED_BYTES, 1));
    }

    @Test
    void readOnlyOpenCreatesNoFile() throws IOException {
        assertThatExceptionOfType(NoSuchFileException.class)
                .isThrownBy(() -> CounterFile.openReadOnly(file))
                .withMessageContaining(file.toString());
        assertThat(file).doesNotExist();
        Files.createFile(file);
        assertThatIOException()
                .isThrownBy(() -> CounterFile.openReadOnly(file))
                .withMessageContaining(file.toString())
                .withMessageContaining("0 bytes");
    }

    private static void fill(CounterFile counters) {
        for (int shard = 0; shard < counters.shardCount(); shard++) {
            for (Counter counter : Counter.values()) {
                counters.shard(shard).set(counter, value(shard, counter));
            }
        }
    }

    private static long value(int shard, Counter counter) {
        return (shard + 1) * 1_000_000_000_000L + counter.id();
    }
}
