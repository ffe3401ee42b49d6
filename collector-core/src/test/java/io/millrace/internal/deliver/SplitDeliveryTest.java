package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.InputRules;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.SinkSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delivery of datagrams with several messages. Each message is a record, and the counters count datagrams. */
class SplitDeliveryTest {
    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();
    private final List<Delivery> deliveries = new ArrayList<>();
    private TestJournal journal;
    private SinkSettings settings = SinkSettings.of("out")
            .retry(Duration.ofMillis(1), Duration.ofMillis(4))
            .rules(new InputRules(ZoneOffset.UTC, false), Map.of("syslog", new InputRules(ZoneOffset.UTC, true)));

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root);
    }

    @AfterEach
    void close() throws IOException {
        deliveries.forEach(SplitDeliveryTest::stop);
        journal.close();
    }

    private static void stop(Delivery delivery) {
        delivery.stop(System.nanoTime());
        delivery.doWork();
    }

    private Delivery delivered() throws IOException {
        Delivery delivery = Deliveries.of(settings, sink, root, journal);
        deliveries.add(delivery);
        await().until(() -> {
            delivery.doWork();
            return delivery.status().pending() == 0;
        });
        Counts counts = delivery.status().counts();
        assertThat(counts.acked() + counts.filtered() + counts.deadLettered() + counts.missing())
                .as("the ledger of the output, in datagrams")
                .isEqualTo(journal.nextSequence(0));
        return delivery;
    }

    private void append(String... payloads) {
        for (String payload : payloads) {
            journal.append(0, TestDatagram.of(payload));
        }
    }

    private List<String> letters() throws IOException {
        return Files.readAllLines(root.resolve("dead-letters/out.ndjson"));
    }

    @Test
    void eachMessageIsARecordAndEachDatagramCountsOnce() throws IOException {
        append("a\nb\n", "c", "\n\n", "d\r\n\ne\n\0");
        List<String> identities = new ArrayList<>();
        sink.answer = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                identities.add(batch.shard(i) + ":" + batch.sequence(i) + ":" + batch.part(i));
            }
            sink.take(batch);
        };
        assertThat(delivered().status().counts()).isEqualTo(new Counts(4, 0, 0, 0));
        assertThat(sink.received).containsExactly("a", "b", "c", "\n\n", "d", "e");
        assertThat(identities).containsExactly("0:0:0", "0:0:1", "0:1:-1", "0:2:-1", "0:3:0", "0:3:1");
    }

    @Test
    void datagramCountsAsFilteredOnlyIfAllItsMessagesAre() throws IOException {
        append("<11>a\n<13>b", "<13>c\n<13>d", "<11>e");
        settings = settings.where(Filter.compile("severity == err"));
        assertThat(delivered().status().counts()).isEqualTo(new Counts(2, 1, 0, 0));
        assertThat(sink.received).containsExactly("<11>a", "<11>e");
    }

    @Test
    void rejectedMessagesAreDeadLetteredAndTheirDatagramCountsOnce() throws IOException {
        append("a\nhuge\nno", "b\nc", "huge", "d");
        sink.answer = batch -> {
            for (int i = 0; i < batch.size(); i++) {
                if (batch.isOpen(i) && FakeSink.text(batch, i).equals("no")) {
                    batch.refuse(i, "not that");
                }
            }
            sink.take(batch);
        };
        assertThat(delivered().status().counts()).isEqualTo(new Counts(2, 0, 2, 0));
        assertThat(sink.received).containsExactly("a", "b", "c", "d");
        assertThat(letters()).hasSize(3);
        assertThat(letters().get(0)).contains("\"sequence\":0,\"part\":1,", "\"payload\":\"aHVnZQ==\"", "too long");
        assertThat(letters().get(1)).contains("\"sequence\":0,\"part\":2,", "\"payload\":\"bm8=\"", "not that");
        assertThat(letters().get(2)).contains("\"sequence\":2,\"receive_time_ns\"", "\"payload\":\"aHVnZQ==\"");
    }

    @Test
    void acceptedMessagesOfADatagramAreNotSentAgain() throws IOException {
        append("a\nb\nc");
        sink.answer = batch -> {
            sink.received.add(FakeSink.text(batch, 1));
            batch.accept(1);
            sink.answer = sink::take;
            batch.failed("429");
        };
        assertThat(delivered().status().counts()).isEqualTo(new Counts(1, 0, 0, 0));
        assertThat(sink.received).containsExactly("b", "a", "c");
    }

    @Test
    void fullBatchEndsAtTheNextDatagramBoundary() throws IOException {
        String five = "1\n2\n3\n4\n5";
        append(IntStream.range(0, 20).mapToObj(i -> five).toArray(String[]::new));
        settings = settings.batches(7, 1024);
        List<Integer> sizes = new ArrayList<>();
        sink.answer = batch -> {
            sizes.add(batch.size());
            sink.take(batch);
        };
        assertThat(delivered().status().counts()).isEqualTo(new Counts(20, 0, 0, 0));
        assertThat(sizes).hasSize(10).containsOnly(10);
    }

    @Test
    void errorWithinADatagramSkipsAndRepeatsNoMessage() throws IOException {
        append("a", "b\nc\nd", "e");
        InternalError error = new InternalError("for a test");
        sink.onEncode = text -> {
            if (text.equals("d") && sink.encoded++ == 0) {
                throw error;
            }
        };
        assertThat(delivered().status().counts()).isEqualTo(new Counts(3, 0, 0, 0));
        assertThat(sink.received).containsExactly("a", "b", "c", "d", "e");
    }

    @Test
    void datagramInterruptedByAStopIsResentCompletely() throws IOException {
        append("a\nb");
        sink.answer = batch -> {
            batch.accept(0);
            sink.hold(batch);
        };
        Delivery delivery = Deliveries.of(settings, sink, root, journal);
        for (int i = 0; i < 5; i++) {
            delivery.doWork();
        }
        stop(delivery);
        assertThat(delivery.status().counts()).isEqualTo(Counts.NONE);
        sink.answer = sink::take;
        delivered();
        assertThat(sink.received).containsExactly("a", "b");
    }
}
