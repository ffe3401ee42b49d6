package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.edit.Redaction;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.sink.Positions;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import io.millrace.sink.StartAt;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A delivery with a fake sink. The test's thread runs the delivery. */
class DeliveryTest {
    @TempDir
    Path root;

    private final List<Delivery> deliveries = new ArrayList<>();
    private TestJournal journal;
    private final FakeSink sink = new FakeSink();
    private SinkSettings settings = SinkSettings.of("out").retry(Duration.ofMillis(1), Duration.ofMillis(4));

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 2);
    }

    @AfterEach
    void close() throws IOException {
        for (Delivery delivery : deliveries) {
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
        journal.close();
    }

    private Delivery delivery() throws IOException {
        Delivery delivery = Deliveries.of(settings, sink, root, journal);
        deliveries.add(delivery);
        return delivery;
    }

    private void stop(Delivery delivery) {
        delivery.stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(5));
        await().until(() -> {
            delivery.doWork();
            return delivery.isFinished();
        });
        assertThat(sink.closed).isTrue();
        sink.closed = false;
    }

    private static List<String> numbered(int shard, long from, long to) {
        List<String> expected = new ArrayList<>();
        for (long sequence = from; sequence < to; sequence++) {
            expected.add(shard + ":" + sequence);
        }
        return expected;
    }

    private List<String> receivedOf(int shard) {
        return sink.received.stream()
                .filter(text -> text.startsWith(shard + ":"))
                .toList();
    }

    @Test
    void recordsArriveInTheOrderOfTheirShard() throws IOException {
        journal.appendNumbered(0, 5, 30);
        journal.appendNumbered(1, 3, 20);
        settings = settings.batches(7, 1024);
        Delivery delivery = Deliveries.work(delivery());
        assertThat(receivedOf(0)).isEqualTo(numbered(0, 0, 150));
        assertThat(receivedOf(1)).isEqualTo(numbered(1, 0, 60));
        SinkStatus status = delivery.status();
        assertThat(status.counts()).isEqualTo(new Counts(210, 0, 0, 0));
        assertThat(status.pending()).isZero();
        assertThat(status.lagNs()).isZero();
        assertThat(status.batches()).isGreaterThanOrEqualTo(30);
    }

    @Test
    void restartContinuesAtTheStoredPosition() throws IOException {
        journal.appendNumbered(0, 2, 10);
        stop(Deliveries.work(delivery()));
        journal.appendNumbered(0, 2, 10);
        journal.appendNumbered(1, 1, 10);
        Delivery second = Deliveries.work(delivery());
        assertThat(receivedOf(0)).isEqualTo(numbered(0, 0, 40));
        assertThat(receivedOf(1)).isEqualTo(numbered(1, 0, 10));
        assertThat(second.status().counts().acked()).isEqualTo(50);
    }

    @Test
    void unacknowledgedRecordsAreSentAfterARestart() throws IOException {
        journal.appendNumbered(0, 1, 10);
        sink.answer = sink::hold;
        Delivery delivery = Deliveries.work(delivery());
        delivery.stop(System.nanoTime() - 1);
        delivery.doWork();
        assertThat(delivery.isFinished()).isTrue();
        sink.answer = sink::take;
        Deliveries.work(delivery());
        assertThat(sink.received).isEqualTo(numbered(0, 0, 10));
    }

    @Test
    void outageDelaysRecordsAndLosesNone() throws IOException {
        journal.appendNumbered(0, 1, 10);
        sink.answer = batch -> {
            if (sink.sends < 5) {
                throw new IOException("connection refused");
            }
            sink.take(batch);
        };
        Delivery delivery = delivery();
        await().until(() -> {
            delivery.doWork();
            SinkStatus status = delivery.status();
            assertThat(status.problem()).isIn(null, "connection refused");
            return status.pending() == 0;
        });
        assertThat(sink.received).isEqualTo(numbered(0, 0, 10));
        assertThat(delivery.status().retries()).isEqualTo(4);
        assertThat(delivery.status().problem()).isNull();
    }

    @Test
    void exceptionOfTheSinkDelaysRecordsAndLosesNone() throws IOException {
        journal.appendNumbered(0, 1, 3);
        sink.answer = batch -> {
            if (sink.sends == 1) {
                throw new IllegalStateException("a defect");
            }
            sink.take(batch);
        };
        Delivery delivery = delivery();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        assertThat(sink.received).isEqualTo(numbered(0, 0, 3));
    }

    @Test
    void acknowledgementsMayComeInAnyOrder() throws IOException {
        settings = settings.batches(10, 1024);
        sink.maxInFlight = 3;
        sink.answer = sink::hold;
        journal.appendNumbered(0, 4, 10);
        Delivery delivery = Deliveries.work(delivery());
        assertThat(sink.held).hasSize(3);
        assertThat(delivery.status().inFlightRecords()).isEqualTo(30);
        sink.held.get(2).done();
        sink.held.get(1).done();
        Deliveries.work(delivery);
        assertThat(delivery.status().counts().acked()).isZero();
        assertThat(delivery.status().lagNs()).isPositive();
        sink.answer = sink::take;
        sink.held.get(0).done();
        Deliveries.work(delivery);
        assertThat(delivery.status().counts().acked()).isEqualTo(40);
        assertThat(sink.received).isEqualTo(numbered(0, 30, 40));
    }

    @Test
    void failedBatchesAreResentInOrder() throws IOException {
        settings = settings.batches(10, 1024);
        sink.maxInFlight = 3;
        sink.answer = sink::hold;
        journal.appendNumbered(0, 3, 10);
        Delivery delivery = Deliveries.work(delivery());
        sink.answer = sink::take;
        sink.held.get(0).failed("reset");
        sink.held.get(2).failed("reset");
        Deliveries.work(delivery);
        assertThat(sink.received).as("one batch is still in flight").isEmpty();
        sink.held.get(1).failed("reset");
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        assertThat(sink.received).isEqualTo(numbered(0, 0, 30));
    }

    @Test
    void newBatchesWaitForAFailedBatch() throws IOException {
        settings = settings.batches(10, 1024);
        sink.maxInFlight = 3;
        sink.answer = sink::hold;
        journal.appendNumbered(0, 2, 10);
        Delivery delivery = Deliveries.work(delivery());
        sink.held.get(0).failed("reset");
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery);
        assertThat(sink.sends).as("the third batch waits for the failed one").isEqualTo(2);
        sink.answer = sink::take;
        sink.held.get(1).done();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        assertThat(sink.received)
                .isEqualTo(Stream.concat(numbered(0, 0, 10).stream(), numbered(0, 20, 30).stream())
                        .toList());
    }

    @Test
    void acceptedRecordsAreNotSentAgain() throws IOException {
        journal.appendNumbered(0, 1, 10);
        sink.answer = batch -> {
            for (int i = 0; i < 10; i += 2) {
                sink.received.add(FakeSink.text(batch, i));
                batch.accept(i);
            }
            sink.answer = sink::take;
            batch.failed("429");
        };
        Delivery delivery = delivery();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        assertThat(sink.received).containsExactlyInAnyOrderElementsOf(numbered(0, 0, 10));
        assertThat(delivery.status().counts().acked()).isEqualTo(10);
    }

    @Test
    void rejectedRecordBecomesADeadLetterWithoutDelay() throws IOException {
        journal.append(0, TestDatagram.of("0:0"), TestDatagram.of("huge"), TestDatagram.of("0:2"));
        sink.answer = batch -> {
            batch.refuse(2, "mapping \"x\"");
            sink.take(batch);
        };
        Delivery delivery = Deliveries.work(delivery());
        assertThat(sink.received).containsExactly("0:0");
        assertThat(delivery.status().counts()).isEqualTo(new Counts(1, 0, 2, 0));
        List<String> letters = Files.readAllLines(root.resolve("dead-letters/out.ndjson"));
        assertThat(letters).hasSize(2);
        assertThat(letters.get(0))
                .contains(
                        "\"reason\":\"it cannot be encoded: too long\"", "\"sequence\":1", "\"payload\":\"aHVnZQ==\"");
        assertThat(letters.get(1)).contains("\"reason\":\"mapping \\\"x\\\"\"", "\"shard\":0,\"sequence\":2");
    }

    @Test
    void sinkGetsTheEditedMessageAndWhereSeesTheOriginal() throws IOException {
        journal.append(0, TestDatagram.of("a:1 pin=1"), TestDatagram.of("a:2"), TestDatagram.of("a:3 pin=34"));
        settings = settings.where(Filter.compile("message contains \"pin=\""))
                .edit(List.of(Redaction.of(" pin=\\d+", "", null)));
        Delivery delivery = Deliveries.work(delivery());
        assertThat(sink.received).containsExactly("a:1", "a:3");
        assertThat(delivery.status().counts()).isEqualTo(new Counts(2, 1, 0, 0));
    }

    @Test
    void messageThatCannotBeEditedIsADeadLetterAndOthersArrive() throws IOException {
        journal.append(0, TestDatagram.of("0:0"), TestDatagram.of("b".repeat(8000)), TestDatagram.of("0:2"));
        settings = settings.edit(List.of(Redaction.of("b", "c".repeat(200), null)));
        Deliveries.work(delivery());
        assertThat(sink.received).containsExactly("0:0", "0:2");
        assertThat(Files.readAllLines(root.resolve("dead-letters/out.ndjson")))
                .singleElement()
                .asString()
                .contains("the edited message has more than 1048576 bytes")
                .doesNotContain("payload");
    }

    @Test
    void inputTimeZoneOverridesTheDefault() throws IOException {
        journal.append(
                0,
                TestDatagram.of("<13>Nov 21 10:00:00 h a: x").at(1_795_262_400_000_000_000L),
                TestDatagram.of("<13>Nov 21 09:00:00 h a: y").at(1_795_262_400_000_000_000L));
        settings = settings.rules(
                        new InputRules(ZoneOffset.UTC, false),
                        Map.of("syslog", new InputRules(ZoneId.of("Asia/Tokyo"), false)))
                .where(Filter.compile("timestamp == 2026-11-21T01:00:00Z"));
        Deliveries.work(delivery());
        assertThat(sink.received).singleElement().asString().endsWith("x");
    }

    @Test
    void filteredRecordsAreCounted() throws IOException {
        journal.appendNumbered(0, 3, 10);
        settings = settings.where(Filter.compile("sequence >= 25")).batches(8, 1024);
        Delivery delivery = Deliveries.work(delivery());
        assertThat(sink.received).isEqualTo(numbered(0, 25, 30));
        assertThat(delivery.status().counts()).isEqualTo(new Counts(5, 25, 0, 0));
        stop(delivery);
        Deliveries.work(delivery());
        assertThat(sink.received).isEqualTo(numbered(0, 25, 30));
    }

    @Test
    void sampleIsTheSameAfterARestartAndWithinALargerOne() throws IOException {
        journal.appendNumbered(0, 20, 500);
        journal.appendNumbered(1, 20, 500);
        settings = settings.sample(100).batches(8, 1024);
        Delivery delivery = Deliveries.work(delivery());
        List<String> sample = List.copyOf(sink.received);
        assertThat(sample.size()).as("about one of 100 of 20,000").isBetween(150, 250);
        assertThat(receivedOf(0).size()).as("of each shard").isBetween(60, 140);
        Counts counts = delivery.status().counts();
        assertThat(counts).isEqualTo(new Counts(sample.size(), 20_000 - sample.size(), 0, 0));
        stop(delivery);
        for (int oneOf : new int[] {100, 10}) {
            sink.received.clear();
            PositionFile.of(root, "out").delete();
            settings = settings.sample(oneOf);
            stop(Deliveries.work(delivery()));
            assertThat(sink.received).as("1/" + oneOf).containsAll(sample);
            assertThat(sink.received.size()).isBetween(15_000 / oneOf, 25_000 / oneOf);
        }
        sink.received.clear();
        PositionFile.of(root, "out").delete();
        settings = settings.sample(10).where(Filter.compile("shard == 1"));
        assertThat(Deliveries.work(delivery()).status().counts().filtered()).isBetween(18_500L, 19_500L);
        assertThat(sink.received)
                .containsAll(
                        sample.stream().filter(text -> text.startsWith("1:")).toList());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> settings.sample(0))
                .withMessageContaining("sample accepts");
    }

    @Test
    void matchingRecordIsSentBeforeTheRestOfTheJournalIsRead() throws IOException {
        journal.appendNumbered(0, 40, 10);
        settings = settings.where(Filter.compile("sequence == 3")).batches(8, 1024);
        Delivery delivery = delivery();
        delivery.doWork();
        delivery.doWork();
        assertThat(sink.received).isEqualTo(numbered(0, 3, 4));
        assertThat(delivery.status().pending()).isPositive();
        assertThat(Deliveries.work(delivery).status().counts()).isEqualTo(new Counts(1, 399, 0, 0));
    }

    @Test
    void temporaryErrorsSkipNoRecord() throws IOException {
        journal.appendNumbered(0, 2, 10);
        Path meta = root.resolve("meta.json");
        Path away = root.resolve("away.json");
        Delivery delivery = delivery();
        sink.answer = batch -> {
            sink.answer = sink::take;
            throw new NoClassDefFoundError("as a library that does not load");
        };
        delivery.doWork();
        assertThat(delivery.status().problem()).isNull();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        Delivery second = Deliveries.of(SinkSettings.of("b"), sink, root, journal);
        deliveries.add(second);
        Files.move(meta, away);
        second.doWork();
        assertThat(second.status().problem()).isNotNull();
        assertThat(second.status().lagNs()).isPositive();
        Files.move(away, meta);
        await().until(() -> {
            second.doWork();
            return second.status().pending() == 0;
        });
        assertThat(second.status().problem()).isNull();
        assertThat(sink.received)
                .isEqualTo(Stream.concat(numbered(0, 0, 20).stream(), numbered(0, 0, 20).stream())
                        .toList());
    }

    @Test
    void answerOfTheDestinationIsShownInOneBoundedLine() throws IOException {
        journal.appendNumbered(0, 1, 1);
        sink.answer = batch -> batch.failed("no\nforged " + "a".repeat(10_000));
        Delivery delivery = delivery();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().problem() != null;
        });
        assertThat(delivery.status().problem()).startsWith("no\\nforged aaa").hasSizeLessThan(600);
    }

    /** Encoding fails in the middle of a batch. The next attempt sends all records. */
    @Test
    void errorWhileABatchIsFilledSkipsNoRecord() throws IOException {
        journal.appendNumbered(0, 2, 10);
        InternalError error = new InternalError("for a test");
        sink.onEncode = text -> {
            if (text.equals("0:7") && sink.encoded++ == 0) {
                throw error;
            }
        };
        Delivery delivery = delivery();
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        assertThat(sink.received).isEqualTo(numbered(0, 0, 20));
        assertThat(delivery.status().problem()).isNull();
    }

    @Test
    void newSinkStartsAtTheConfiguredPosition() throws IOException {
        journal.appendNumbered(0, 1, 10);
        settings = settings.from(StartAt.END);
        Delivery delivery = Deliveries.work(delivery());
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery);
        assertThat(sink.received).isEqualTo(numbered(0, 10, 20));
        stop(delivery);
        // The sink has positions now, so the configured start no longer applies.
        settings = settings.from(StartAt.BEGIN);
        journal.appendNumbered(0, 1, 10);
        Deliveries.work(delivery());
        assertThat(sink.received).isEqualTo(numbered(0, 10, 30));
    }

    @Test
    void newSinkStartsAtAConfiguredTime() throws IOException {
        long at = 1_795_262_400_000_000_000L;
        journal.append(0, TestDatagram.of("0:0").at(at), TestDatagram.of("0:1").at(at + 1_000_000_000));
        journal.append(1, TestDatagram.of("1:0").at(at));
        settings = settings.from(StartAt.time(Instant.ofEpochSecond(at / 1_000_000_000, 1)));
        Deliveries.work(delivery());
        assertThat(sink.received).containsExactly("0:1");
    }

    @Test
    void damagedPositionsAreReportedAndNothingIsSent() throws IOException {
        journal.appendNumbered(0, 1, 10);
        stop(Deliveries.work(delivery()));
        Path file = root.resolve("positions/out");
        Files.writeString(file, Files.readString(file).replace("next 10", "next 99"));
        sink.received.clear();
        Delivery delivery = Deliveries.work(delivery());
        assertThat(delivery.status().problem())
                .contains("positions/out is damaged (its checksum is wrong)")
                .contains("journal positions --set out=begin");
        assertThat(sink.received).isEmpty();
    }

    @Test
    void positionsOfAnotherJournalAreIgnored() throws IOException {
        journal.appendNumbered(0, 1, 10);
        PositionFile.of(root, "out").write(new Positions(1, new long[] {5}, new Counts(5, 0, 0, 0)));
        Delivery delivery = Deliveries.work(delivery());
        assertThat(sink.received).isEqualTo(numbered(0, 0, 10));
        assertThat(delivery.status().counts().acked()).isEqualTo(15);
    }
}
