package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Batches that wait for minutes: they are kept over many reads of the journal. The test's thread runs the delivery. */
@Timeout(60)
class HeldBatchTest {
    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();
    private final List<Integer> sizes = new ArrayList<>();
    private SinkSettings settings = SinkSettings.of("out").linger(Duration.ofHours(1));
    private TestJournal journal;
    private Delivery delivery;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 2);
        sink.answer = batch -> {
            sizes.add(batch.size());
            sink.take(batch);
        };
    }

    @AfterEach
    void close() throws IOException {
        stop();
        journal.close();
    }

    private void start() throws IOException {
        open(sink);
        journal.append(0, TestDatagram.of("0:first wanted"));
        Deliveries.work(delivery);
        assertThat(sink.received).as("the first batch does not wait").containsExactly("0:first wanted");
        sink.received.clear();
        sizes.clear();
        sink.sends = 0;
    }

    private void open(FakeSink to) throws IOException {
        delivery = Deliveries.of(settings, to, root, journal);
    }

    private void stop() {
        delivery.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
        await().until(() -> {
            delivery.doWork();
            return delivery.isFinished();
        });
    }

    @Test
    void batchIsFilledOverManyReadsAndSentWhenItIsOld() throws IOException {
        settings = settings.linger(Duration.ofMillis(1_500));
        start();
        long beganNs = System.nanoTime();
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery);
        journal.appendNumbered(1, 1, 10);
        Deliveries.work(delivery);
        assertThat(sink.sends).isZero();
        assertThat(delivery.status().pending()).isEqualTo(20);
        assertThat(delivery.status().problem()).isNull();
        // As its thread does: it must wake up by itself.
        await().until(() -> {
            delivery.idle(delivery.doWork());
            return sink.sends > 0;
        });
        assertThat(System.nanoTime() - beganNs).isBetween(1_500_000_000L, 4_000_000_000L);
        assertThat(sizes).containsExactly(20);
        assertThat(delivery.status().pending()).isZero();
    }

    @Test
    void fullBatchIsSentAtOnce() throws IOException {
        settings = settings.batches(7, 1 << 20);
        start();
        journal.appendNumbered(0, 4, 5);
        Deliveries.work(delivery);
        assertThat(sizes).containsExactly(7, 7);
        assertThat(delivery.status().pending()).isEqualTo(6);
        journal.appendNumbered(0, 1, 1);
        Deliveries.work(delivery);
        assertThat(sizes).containsExactly(7, 7, 7);
    }

    @Test
    void stopSendsTheBatch() throws IOException {
        start();
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery);
        assertThat(sink.sends).isZero();
        stop();
        assertThat(sizes).containsExactly(10);
    }

    @Test
    void endOfARangeSendsTheBatch() throws IOException {
        journal.appendNumbered(0, 1, 17);
        settings = settings.batches(10, 1 << 20).to(Instant.now());
        open(sink);
        await().until(() -> {
            delivery.doWork();
            return delivery.status().finished();
        });
        assertThat(sizes).containsExactly(10, 7);
    }

    @Test
    void positionMovesOverWhatIsFilteredOutWhileTheBatchIsEmpty() throws IOException {
        settings = settings.where(Filter.compile("message contains \"wanted\""));
        start();
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery);
        assertThat(delivery.status().counts()).isEqualTo(new Counts(1, 10, 0, 0));
        journal.append(0, TestDatagram.of("a:1 wanted"), TestDatagram.of("a:2"));
        Deliveries.work(delivery);
        assertThat(delivery.status().pending()).isEqualTo(2);
        stop();
        assertThat(delivery.status().counts()).isEqualTo(new Counts(2, 11, 0, 0));
    }

    @Test
    void deadLettersAreDeliveredAgainWhileABatchWaits() throws Exception {
        open(sink);
        journal.append(0, TestDatagram.of("0:0"), TestDatagram.of("huge"));
        Deliveries.work(delivery);
        journal.append(0, TestDatagram.of("0:2"));
        Deliveries.work(delivery);
        var result = delivery.redelivery().request();
        await().until(() -> {
            delivery.doWork();
            return result.isDone();
        });
        assertThat(result.get().refused()).isEqualTo(1);
        Deliveries.work(delivery);
        assertThat(delivery.status().pending())
                .as("their batch moves no position over the one that waits")
                .isEqualTo(1);
        assertThat(sink.received).containsExactly("0:0");
        stop();
        assertThat(sink.received).containsExactly("0:0", "0:2");
        assertThat(delivery.status().counts()).isEqualTo(new Counts(2, 0, 1, 0));
    }

    @Test
    void outageKeepsBatchesAndTheirOrder() throws IOException {
        settings = settings.batches(10, 1 << 20).retry(Duration.ofMillis(1), Duration.ofMillis(4));
        start();
        sink.answer = batch -> {
            if (sink.sends < 4) {
                throw new IOException("slow down");
            }
            sink.take(batch);
        };
        journal.appendNumbered(0, 5, 5);
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 5;
        });
        assertThat(sink.received).hasSize(20).doesNotHaveDuplicates();
    }
}
