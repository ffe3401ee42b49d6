package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An output with {@code repeat}. Its messages are from 2023, so that each window is over when the journal has been read. */
class RepeatTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();
    private SinkSettings settings = SinkSettings.of("out").repeat(Duration.ofSeconds(10));
    private TestJournal journal;

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 1);
    }

    @AfterEach
    void close() throws IOException {
        journal.close();
    }

    private void append(double second, String payload) {
        journal.append(0, TestDatagram.of(payload).at(TestDatagram.TIME_NS + (long) (second * SECOND_NS)));
    }

    private Delivery delivery() throws IOException {
        return Deliveries.of(settings, sink, root, journal);
    }

    private Counts deliver() throws IOException {
        Delivery delivery = delivery();
        Deliveries.work(delivery);
        return stop(delivery);
    }

    private static Counts stop(Delivery delivery) {
        delivery.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
        while (!delivery.isFinished()) {
            delivery.doWork();
        }
        SinkStatus status = delivery.status();
        assertThat(status.pending()).isZero();
        return status.counts();
    }

    @Test
    void repeatsOfAHostBecomeASummaryBeforeItsNextMessage() throws IOException {
        append(0, "<13>Nov 24 10:00:00 a app[1]: down");
        append(1, "<13>Nov 24 10:00:01 a app[2]: down");
        append(2, "<13>Nov 24 10:00:02 b app[1]: down");
        append(3, "<13>Nov 24 10:00:03 a app[3]: down\n");
        append(4, "<13>Nov 24 10:00:04 a app[3]: up");
        assertThat(deliver()).isEqualTo(new Counts(3, 2, 0, 0));
        assertThat(sink.received)
                .containsExactly(
                        "<13>Nov 24 10:00:00 a app[1]: down",
                        "<13>Nov 24 10:00:02 b app[1]: down",
                        "<13>Nov 24 10:00:03 a app[3]: last message repeated 2 times",
                        "<13>Nov 24 10:00:04 a app[3]: up");
    }

    @Test
    void windowEndsWithItsTimeAlsoIfNothingFollows() throws IOException {
        append(0, "<13>1 - a app - - - down");
        append(9.9, "<13>1 - a app - - - down");
        append(10, "<13>1 - a app - - - down");
        append(12, "<13>1 - a app - - - down");
        append(13, "<13>1 - a app - - - down");
        assertThat(deliver()).isEqualTo(new Counts(2, 3, 0, 0));
        assertThat(sink.received)
                .containsExactly(
                        "<13>1 - a app - - - down",
                        "<13>1 - a app - - - last message repeated 1 time",
                        "<13>1 - a app - - - down",
                        "<13>1 - a app - - - last message repeated 2 times");
    }

    @Test
    void stopDeliversSummariesWhoseWindowIsOpen() throws IOException {
        long nowNs = TimeUnit.MILLISECONDS.toNanos(Instant.now().toEpochMilli());
        settings = settings.repeat(Duration.ofHours(1));
        for (int i = 0; i < 3; i++) {
            journal.append(0, TestDatagram.of("down").at(nowNs + i));
        }
        Delivery delivery = delivery();
        Deliveries.work(delivery);
        assertThat(sink.received).containsExactly("down");
        assertThat(stop(delivery)).isEqualTo(new Counts(1, 2, 0, 0));
        assertThat(sink.received).containsExactly("down", "last message repeated 2 times");
    }

    @Test
    void differentMessagesAreNoRepeats() throws IOException {
        List<String> payloads = List.of(
                "<13>Nov 24 10:00:00 a app: down",
                "<12>Nov 24 10:00:00 a app: down",
                "<13>Nov 24 10:00:00 a other: down",
                "<13>Nov 24 10:00:00 a other: down!",
                "<13>1 - a other - 1 - down",
                "<13>1 - a other - 2 - down",
                "<13>1 - a other - 2 [x y=\"1\"] down",
                "<13>1 - a other - 2 [x y=\"2\"] down",
                "{\"version\":\"1.1\",\"host\":\"a\",\"short_message\":\"down\"}",
                "{\"version\":\"1.1\",\"host\":\"a\",\"short_message\":\"down\"}",
                "x".repeat(8193),
                "x".repeat(8193));
        payloads.forEach(payload -> append(0, payload));
        for (int i = 1; i <= 2; i++) {
            journal.append(0, TestDatagram.of("same").from(new byte[] {10, 0, 0, (byte) i}, 0, 514));
        }
        assertThat(deliver()).isEqualTo(new Counts(payloads.size() + 2, 0, 0, 0));
        assertThat(sink.received).startsWith(payloads.toArray(String[]::new)).hasSize(payloads.size() + 2);
    }

    /** A clock that was an hour ahead for a moment must hide nothing, and delay no summary. */
    @Test
    void clockThatWasSetBackHidesNothing() throws IOException {
        append(3600, "<13>Nov 24 10:00:00 a app: down");
        append(0, "<13>Nov 24 10:00:00 b app: down");
        append(1, "<13>Nov 24 10:00:01 b app: down");
        append(2, "<13>Nov 24 10:00:02 a app: down");
        append(3, "<13>Nov 24 10:00:03 a app: down");
        append(20, "<13>Nov 24 10:00:20 c app: up");
        assertThat(deliver()).isEqualTo(new Counts(4, 2, 0, 0));
        assertThat(sink.received)
                .containsExactly(
                        "<13>Nov 24 10:00:00 a app: down",
                        "<13>Nov 24 10:00:00 b app: down",
                        "<13>Nov 24 10:00:02 a app: down",
                        "<13>Nov 24 10:00:01 b app: last message repeated 1 time",
                        "<13>Nov 24 10:00:03 a app: last message repeated 1 time",
                        "<13>Nov 24 10:00:20 c app: up");
    }

    @Test
    void messageThatIsReadAgainAfterAFailureIsNoRepeat() throws IOException {
        append(0, "down");
        sink.onEncode = text -> {
            sink.onEncode = again -> {};
            throw new NoClassDefFoundError("as a library that does not load");
        };
        settings = settings.retry(Duration.ofMillis(1), Duration.ofMillis(4));
        Delivery delivery = delivery();
        await().until(() -> {
            Deliveries.work(delivery);
            return !sink.received.isEmpty();
        });
        assertThat(stop(delivery)).isEqualTo(new Counts(1, 0, 0, 0));
        assertThat(sink.received).containsExactly("down");
    }

    @Test
    void moreHostsThanAreRememberedLoseNoSummary() throws IOException {
        for (int i = 0; i < 2500; i++) {
            for (int repeat = 0; repeat < 3; repeat++) {
                append(0, "<13>Nov 24 10:00:00 host" + i + " app: down");
            }
        }
        assertThat(deliver()).isEqualTo(new Counts(2500, 5000, 0, 0));
        assertThat(sink.received)
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 2500)
                        .boxed()
                        .flatMap(i -> List.of(
                                "<13>Nov 24 10:00:00 host" + i + " app: down",
                                "<13>Nov 24 10:00:00 host" + i + " app: last message repeated 2 times")
                                .stream())
                        .toList());
    }

    @Test
    void filterComesBeforeAndLinesOfADatagramAreMessages() throws IOException {
        settings = settings.where(Filter.compile("not message contains \"noise\""))
                .rules(new InputRules(ZoneOffset.UTC, true), Map.of());
        append(0, "a\na\nnoise\na\nb");
        append(1, "noise\nb\nb");
        append(2, "noise");
        append(3, "b");
        assertThat(deliver()).isEqualTo(new Counts(1, 3, 0, 0));
        assertThat(sink.received)
                .containsExactly("a", "last message repeated 2 times", "b", "last message repeated 3 times");
    }

    @Test
    void rejectedSummaryIsNoDeadLetterAndCountsNothing() throws IOException {
        append(0, "down");
        append(1, "down");
        append(2, "up");
        sink.answer = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                if (FakeSink.text(batch, i).startsWith("last")) {
                    batch.refuse(i, "no summaries here");
                }
            }
            sink.take(batch);
        };
        assertThat(deliver()).isEqualTo(new Counts(2, 1, 0, 0));
        assertThat(sink.received).containsExactly("down", "up");
        assertThat(root.resolve("dead-letters/out.ndjson"))
                .satisfiesAnyOf(
                        file -> assertThat(file).doesNotExist(),
                        file -> assertThat(file).isEmptyFile());
    }

    @Test
    void windowHasBounds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.repeat(Duration.ofMillis(10)))
                .withMessage("repeat accepts a time from 1s to 1d, not 10ms");
    }
}
