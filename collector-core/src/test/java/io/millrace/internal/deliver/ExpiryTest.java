package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.RetentionSettings;
import io.millrace.internal.journal.JournalBytes;
import io.millrace.internal.journal.TestJournal;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention keeps what a sink has not acknowledged, or counts each loss. The test's thread runs everything. */
class ExpiryTest {
    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();
    private TestJournal journal;
    private Delivery delivery;

    @BeforeEach
    void open() throws IOException {
        // Each batch has its own file.
        journal = TestJournal.openRolling(root, 1);
        delivery = make();
    }

    @AfterEach
    void close() throws IOException {
        Deliveries.end(delivery);
        journal.close();
    }

    private Delivery make() throws IOException {
        SinkSettings settings = SinkSettings.of("out").retry(Duration.ofMillis(1), Duration.ofMillis(4));
        return Deliveries.of(settings, sink, root, journal);
    }

    /** Numbered datagrams have receive times of 2023, so all of them are too old. */
    private int expire(RetentionSettings.Unread unread) throws IOException {
        return Deliveries.expire(
                journal, delivery, Duration.ofDays(1), unread, () -> System.currentTimeMillis() * 1_000_000);
    }

    @Test
    void nothingIsDeletedBeforePositionsAreOnDisk() throws IOException {
        journal.appendNumbered(0, 4, 1);
        assertThat(expire(RetentionSettings.Unread.KEEP))
                .describedAs("its position is not known yet")
                .isZero();
        sink.answer = sink::hold;
        Deliveries.work(delivery);
        assertThat(expire(RetentionSettings.Unread.KEEP)).isZero();
        sink.held.remove(0).done();
        sink.answer = sink::take;
        Deliveries.work(delivery);
        Deliveries.end(delivery);
        assertThat(delivery.status().counts().acked()).isEqualTo(4);
        assertThat(expire(RetentionSettings.Unread.KEEP)).isEqualTo(3);
    }

    @Test
    void expiredUnreadDatagramsAreCountedAsMissing() throws IOException {
        journal.appendNumbered(0, 2, 1);
        Deliveries.work(delivery);
        Deliveries.end(delivery);
        journal.appendNumbered(0, 4, 1);
        delivery = make();
        sink.answer = batch -> {
            throw new IOException("out of order");
        };
        var unused = delivery.doWork();
        Deliveries.end(delivery);
        assertThat(expire(RetentionSettings.Unread.EXPIRE)).isEqualTo(5);
        assertThat(JournalBytes.files(root, 0)).hasSize(1);

        delivery = make();
        sink.answer = sink::take;
        Delivery stuck = delivery;
        assertThat(expire(RetentionSettings.Unread.EXPIRE))
                .describedAs("its position is not known yet")
                .isZero();
        Deliveries.work(delivery);
        assertThat(sink.received).containsExactly("0:0", "0:1", "0:5");
        assertThat(stuck.status().counts().missing()).isEqualTo(3);
        assertThat(stuck.status().expired()).isZero();
        assertThat(stuck.status().pending()).isZero();
    }

    @Test
    void statusCountsExpiredDatagramsUntilTheyAreAcknowledged() throws IOException {
        journal.appendNumbered(0, 4, 1);
        sink.answer = sink::hold;
        Deliveries.work(delivery);
        assertThat(expire(RetentionSettings.Unread.EXPIRE)).isEqualTo(3);
        SinkStatus status = delivery.status();
        assertThat(status.expired()).isEqualTo(3);
        assertThat(status.pending()).isEqualTo(1);
        // The sink had read them before they expired, so none is missing.
        sink.held.remove(0).done();
        Deliveries.work(delivery);
        assertThat(delivery.status().expired()).isZero();
        assertThat(delivery.status().counts().acked()).isEqualTo(4);
    }

    @Test
    void newSinkStartsAtTheOldestDatagramAndMissesNone() throws IOException {
        journal.appendNumbered(0, 4, 1);
        Deliveries.work(delivery);
        Deliveries.end(delivery);
        assertThat(expire(RetentionSettings.Unread.KEEP)).isEqualTo(3);
        sink.received.clear();
        SinkSettings settings = SinkSettings.of("later");
        delivery = Deliveries.of(settings, sink, root, journal);
        Deliveries.work(delivery);
        assertThat(sink.received).containsExactly("0:3");
        assertThat(delivery.status().counts().missing()).isZero();
    }
}
