package io.millrace.internal.journal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.disk.Disk;
import io.millrace.internal.disk.Disks;
import io.millrace.internal.disk.RealDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequenceReservationTest {
    @TempDir
    private Path root;

    private final AtomicInteger syncs = new AtomicInteger();
    private final AtomicInteger wakes = new AtomicInteger();
    private boolean fails;
    private ShardCells cells;
    private SequenceReservation numbers;

    @BeforeEach
    void open() throws IOException {
        Disks.register(root, (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals("sync")) {
                        if (fails) {
                            throw new UncheckedIOException(new IOException("Input/output error"));
                        }
                        syncs.incrementAndGet();
                    }
                    return called.invoke(RealDisk.INSTANCE, arguments);
                }));
        cells = CounterFile.open(root.resolve("counters"), 1, 1).shard(0);
        numbers = new SequenceReservation(cells);
        numbers.onNeed(wakes::incrementAndGet);
    }

    @AfterEach
    void remove() {
        Disks.remove(root);
    }

    @Test
    void boundIsOnTheDiskBeforeItCounts() throws IOException {
        assertThat(numbers.covers(1)).isFalse();
        numbers.reserve(100);
        assertThat(syncs).hasValue(1);
        long end = cells.reservedTo();
        assertThat(numbers.covers(end)).isTrue();
        assertThat(numbers.covers(end + 1)).isFalse();
        fails = true;
        assertThatIOException().isThrownBy(() -> numbers.reserve(end + 1)).withMessageContaining("cannot be synced");
        assertThat(numbers.covers(end + 1)).isFalse();
    }

    @Test
    void moreAreReservedOnceHalfAreInUse() throws IOException {
        numbers.reserve(0);
        long end = cells.reservedTo();
        numbers.used(end / 2 - 1);
        numbers.reserveAhead();
        assertThat(wakes).hasValue(0);
        assertThat(syncs).hasValue(1);
        numbers.used(end / 2 + 1);
        assertThat(wakes).hasValue(1);
        numbers.reserveAhead();
        assertThat(syncs).hasValue(2);
        assertThat(cells.reservedTo()).isGreaterThan(end);
    }
}
