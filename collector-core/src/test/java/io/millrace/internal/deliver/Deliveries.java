package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.RetentionSettings;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.journal.write.Retention;
import io.millrace.journal.Journal;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import io.millrace.transport.EpochClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Deliveries from a {@link TestJournal}. The thread of the test drives them. */
final class Deliveries {
    private Deliveries() {}

    static Delivery of(SinkSettings settings, Sink sink, Path root, TestJournal journal) throws IOException {
        return new Delivery(
                settings,
                sink,
                Journal.open(root),
                journal.counters(),
                journal.appends().newReader(),
                new ExpandedPayloads());
    }

    /** Works until there is nothing to do. */
    static Delivery work(Delivery delivery) {
        while (delivery.doWork() > 0) {
            // Until nothing is left.
        }
        return delivery;
    }

    /** Stops, and works until the end. */
    static void end(Delivery delivery) {
        delivery.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < 100_000 && !delivery.isFinished(); i++) {
            var unused = delivery.doWork();
        }
        assertThat(delivery.isFinished()).isTrue();
    }

    /** Lets retention delete what is too old; returns the number of files. */
    static int expire(
            TestJournal journal, Delivery delivery, Duration maxAge, RetentionSettings.Unread unread, EpochClock clock)
            throws IOException {
        return new Retention(
                        journal.directory(),
                        journal.counters(),
                        new RetentionSettings(maxAge, 0, 0, unread, RetentionSettings.WhenFull.BLOCK),
                        () -> List.of(delivery.acknowledged()),
                        shard -> {},
                        clock)
                .doWork();
    }
}
