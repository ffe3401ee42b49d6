package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.edit.Redaction;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.sink.Output.Redelivered;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters that are delivered again, with a fake sink. The test's thread runs the delivery. */
class RedeliveryTest {
    @TempDir
    private Path root;

    private final List<Delivery> deliveries = new ArrayList<>();
    private final FakeSink sink = new FakeSink();
    private TestJournal journal;
    private Path file;
    private SinkSettings settings = SinkSettings.of("out").retry(Duration.ofMillis(1), Duration.ofMillis(4));

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root, 2);
        file = root.resolve("dead-letters/out.ndjson");
        sink.answer = this::refuseBad;
    }

    @AfterEach
    void close() throws IOException {
        for (Delivery delivery : deliveries) {
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
        journal.close();
    }

    /** Refuses what begins with "bad". */
    private void refuseBad(DeliveryBatch batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i) && FakeSink.text(batch, i).startsWith("bad")) {
                batch.refuse(i, "it is bad");
            }
        }
        sink.take(batch);
    }

    private Delivery delivery() throws IOException {
        Delivery delivery = Deliveries.of(settings, sink, root, journal);
        deliveries.add(delivery);
        Deliveries.work(delivery);
        return delivery;
    }

    /** Two of five messages are dead letters. */
    private Delivery refused() throws IOException {
        journal.append(0, TestDatagram.of("good 0"), TestDatagram.of("bad 1"), TestDatagram.of("good 2"));
        journal.append(1, TestDatagram.of("bad 0"), TestDatagram.of("good 1"));
        Delivery delivery = delivery();
        assertThat(sink.received).containsExactlyInAnyOrder("good 0", "good 2", "good 1");
        assertThat(Files.readAllLines(file)).hasSize(2);
        sink.received.clear();
        return delivery;
    }

    @Test
    void acceptedLettersAreRemoved() throws Exception {
        Delivery delivery = refused();
        sink.answer = sink::take;
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(2, 0, 0, false));
        assertThat(sink.received).containsExactly("bad 1", "bad 0");
        assertThat(file).doesNotExist();
        // The ledger stays: they were dead letters.
        assertThat(delivery.status().counts()).isEqualTo(new Counts(3, 0, 2, 0));
        assertThat(delivery.status().pending()).isZero();
    }

    @Test
    void droppedLettersAreGoneAndNewOnesFollow() throws Exception {
        Delivery delivery = refused();
        assertThat(delivery.redelivery().drop()).isEqualTo(2);
        assertThat(file).doesNotExist();
        assertThat(delivery.redelivery().drop()).isZero();
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(0, 0, 0, false));
    }

    /** The destination is down, so the retry waits. */
    @Test
    void dropEndsARetry() throws Exception {
        Delivery delivery = refused();
        sink.answer = batch -> batch.failed("down");
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        assertThat(delivery.redelivery().drop()).isEqualTo(2);
        sink.answer = sink::take;
        Deliveries.work(delivery);
        assertThat(result.get().delivered()).isZero();
        assertThat(sink.received).isEmpty();
    }

    @Test
    void lettersThatAreRefusedAgainStayOnce() throws Exception {
        Delivery delivery = refused();
        sink.answer = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                if (FakeSink.text(batch, i).equals("bad 1")) {
                    batch.refuse(i, "it is still bad");
                }
            }
            sink.take(batch);
        };
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(1, 1, 0, false));
        assertThat(Files.readAllLines(file))
                .singleElement()
                .asString()
                .contains("\"shard\":0,\"sequence\":1", "\"payload\":\"YmFkIDE=\"");
        // Dead letters are written to the new file too.
        sink.answer = this::refuseBad;
        journal.append(0, TestDatagram.of("bad 3"));
        Deliveries.work(delivery);
        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    /** Retries fail as often as there are batches, and one more; then the output must still deliver. */
    @Test
    void unreadableLettersFailTheRequestAndNothingElse() throws Exception {
        Delivery delivery = refused();
        byte[] letters = Files.readAllBytes(file);
        Files.delete(file);
        Files.createDirectory(file);
        for (int i = 0; i < 4; i++) {
            CompletableFuture<Redelivered> result = delivery.redelivery().request();
            Deliveries.work(delivery);
            assertThat(result).isCompletedExceptionally();
        }
        Files.delete(file);
        Files.write(file, letters);
        sink.received.clear();
        journal.append(0, TestDatagram.of("good"));
        Deliveries.work(delivery);
        assertThat(sink.received).containsExactly("good");
    }

    /** The journal has messages all the time: they must not wait for the last dead letter. */
    @Test
    void journalHasItsTurnBetweenBatchesOfLetters() throws Exception {
        settings = settings.batches(1, 1024);
        Delivery delivery = refused();
        sink.received.clear();
        sink.answer = sink::take;
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        journal.append(0, TestDatagram.of("good"));
        Deliveries.work(delivery);
        assertThat(result).isCompletedWithValue(new Redelivered(2, 0, 0, false));
        assertThat(sink.received).hasSize(3);
        assertThat(sink.received.get(1)).isEqualTo("good");
    }

    @Test
    void lettersWaitForTheDestinationAsMessagesDo() throws Exception {
        Delivery delivery = refused();
        sink.answer = batch -> {
            throw new IOException("down");
        };
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        for (int i = 0; i < 50; i++) {
            delivery.doWork();
        }
        assertThat(result).isNotDone();
        assertThat(Files.readAllLines(file)).hasSize(2);
        sink.answer = sink::take;
        while (!result.isDone()) {
            delivery.doWork();
        }
        assertThat(result.get()).isEqualTo(new Redelivered(2, 0, 0, false));
        assertThat(sink.received).containsExactly("bad 1", "bad 0");
    }

    /** A crash between the acknowledgement and the removal: the letter is still there, and is delivered once more. */
    @Test
    void lettersStayUntilTheyAreAcknowledged() throws Exception {
        Delivery delivery = refused();
        sink.answer = sink::hold;
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(sink.held).hasSize(1);
        assertThat(Files.readAllLines(file)).hasSize(2);
        delivery.stop(System.nanoTime() - 1);
        delivery.doWork();
        assertThat(delivery.isFinished()).isTrue();
        assertThat(result.get().delivered()).isZero();
        assertThat(Files.readAllLines(file)).hasSize(2);
        sink.answer = sink::take;
        Delivery next = delivery();
        assertThat(sink.received).isEmpty();
        CompletableFuture<Redelivered> again = next.redelivery().request();
        Deliveries.work(next);
        assertThat(again.get()).isEqualTo(new Redelivered(2, 0, 0, false));
    }

    @Test
    void messagesOfTheJournalFollow() throws Exception {
        Delivery delivery = refused();
        sink.answer = sink::take;
        journal.append(0, TestDatagram.of("good 3"));
        var unused = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(sink.received).containsExactly("bad 1", "bad 0", "good 3");
        assertThat(delivery.status().counts()).isEqualTo(new Counts(4, 0, 2, 0));
    }

    /** The output may have got an edit because of them; its filter has let them pass once. */
    @Test
    void lettersAreEditedAndNotFiltered() throws Exception {
        Delivery delivery = refused();
        delivery.stop(System.nanoTime());
        delivery.doWork();
        settings = settings.edit(List.of(Redaction.of("bad", "fixed", null)))
                .where(Filter.compile("message contains \"good\""));
        Delivery next = delivery();
        sink.answer = this::refuseBad;
        CompletableFuture<Redelivered> result = next.redelivery().request();
        Deliveries.work(next);
        assertThat(result.get()).isEqualTo(new Redelivered(2, 0, 0, false));
        assertThat(sink.received).containsExactly("fixed 1", "fixed 0");
    }

    @Test
    void duplicatesAreDeliveredOnceAndForeignLinesStay() throws Exception {
        Delivery delivery = refused();
        List<String> letters = Files.readAllLines(file);
        String other = letters.get(0).replaceFirst("\"journal\":\"[0-9a-f]{16}\"", "\"journal\":\"00000000000000ff\"");
        String gone = letters.get(0).replace("\"sequence\":1", "\"sequence\":1000");
        String glued = letters.get(0).substring(0, 40) + letters.get(1);
        Files.write(
                file, List.of(letters.get(1), other, gone, glued), StandardOpenOption.APPEND, StandardOpenOption.WRITE);
        sink.answer = sink::take;
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(2, 0, 1, false));
        assertThat(sink.received).containsExactly("bad 1", "bad 0");
        assertThat(Files.readAllLines(file)).containsExactly(other, gone, glued);
    }

    @Test
    void nothingIsSentWithoutDeadLetters() throws Exception {
        journal.append(0, TestDatagram.of("good 0"));
        Delivery delivery = delivery();
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(0, 0, 0, false));
        assertThat(sink.received).containsExactly("good 0");
    }

    @Test
    void manyLettersAreSentInSeveralBatches() throws Exception {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 2500; i++) {
            journal.append(0, TestDatagram.of("bad " + i));
            expected.add("bad " + i);
        }
        Delivery delivery = delivery();
        sink.answer = sink::take;
        sink.sends = 0;
        long beginNs = System.nanoTime();
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        System.out.printf("RedeliveryTest: 2500 letters in %d ms%n", (System.nanoTime() - beginNs) / 1_000_000);
        assertThat(result.get()).isEqualTo(new Redelivered(2500, 0, 0, false));
        assertThat(sink.received).isEqualTo(expected);
        assertThat(sink.sends).isEqualTo(3);
        assertThat(file).doesNotExist();
    }

    /** Each was searched from the beginning of its file, and that took minutes. */
    @Test
    @Timeout(60)
    void manyLettersAreReadInOnePass() throws Exception {
        int count = 30_000;
        for (int i = 0; i < count; i += 500) {
            TestDatagram[] batch = new TestDatagram[500];
            for (int j = 0; j < batch.length; j++) {
                batch[j] = TestDatagram.of("bad " + (i + j));
            }
            journal.append(0, batch);
        }
        Delivery delivery = delivery();
        sink.answer = sink::take;
        CompletableFuture<Redelivered> result = delivery.redelivery().request();
        Deliveries.work(delivery);
        assertThat(result.get()).isEqualTo(new Redelivered(count, 0, 0, false));
        assertThat(sink.received)
                .containsExactlyElementsOf(
                        IntStream.range(0, count).mapToObj(i -> "bad " + i).toList());
    }
}
