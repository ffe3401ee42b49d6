package io.millrace.internal.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.edit.Redaction;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.TextCharset;
import io.millrace.sink.Refusal;
import io.millrace.sink.RefusedException;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dead letters of rejected records, and their size limit. */
class DeadLettersTest {
    private static final int REFUSED = 40;

    @TempDir
    Path root;

    private final FakeSink sink = new FakeSink();

    private List<String> lines(String file) throws IOException {
        Path path = root.resolve("dead-letters").resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    @Test
    void deletesTheOldestBeyondTheLimitAndCountsThem() throws IOException {
        SinkSettings settings = SinkSettings.of("out").deadLetters(1 << 20).batches(5, 1 << 20);
        try (TestJournal journal = TestJournal.open(root)) {
            Delivery delivery = Deliveries.of(settings, sink, root, journal);
            for (int i = 0; i < REFUSED; i++) {
                journal.append(0, TestDatagram.of("huge " + "x".repeat(50_000)));
            }
            Deliveries.work(delivery);
            List<String> kept = new ArrayList<>(lines("out.ndjson.1"));
            kept.addAll(lines("out.ndjson"));
            long bytes;
            try (Stream<Path> files = Files.list(root.resolve("dead-letters"))) {
                bytes = files.mapToLong(file -> file.toFile().length()).sum();
            }
            SinkStatus status = delivery.status();
            assertThat(bytes).isBetween(400_000L, 1L << 20);
            assertThat(status.deadLettersDeleted()).isPositive().isEqualTo(REFUSED - kept.size());
            assertThat(status.counts().deadLettered()).isEqualTo(REFUSED);
            assertThat(kept.get(kept.size() - 1)).contains("\"sequence\":" + (REFUSED - 1));
            assertThat(kept.get(0)).contains("\"sequence\":" + (REFUSED - kept.size()));
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
    }

    /** Else the next dead letter would be a part of that line, which nobody can read. */
    @Test
    void halfALineThatACrashLeftIsRemoved() throws IOException {
        Path file = Files.createDirectories(root.resolve("dead-letters")).resolve("out.ndjson");
        Files.writeString(file, "{\"time\":\"whole\"}\n{\"time\":\"cut" + "x".repeat(20_000));
        try (TestJournal journal = TestJournal.open(root)) {
            Delivery delivery = Deliveries.of(SinkSettings.of("out"), sink, root, journal);
            journal.append(0, TestDatagram.of("huge " + "x".repeat(50_000)));
            Deliveries.work(delivery);
            assertThat(lines("out.ndjson")).hasSize(2).first().isEqualTo("{\"time\":\"whole\"}");
            assertThat(lines("out.ndjson").get(1)).startsWith("{").contains("\"sequence\":0");
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
    }

    /** The secret is in the journal, and nowhere else. */
    @Test
    void deadLettersHaveTheEditedMessage() throws IOException {
        Sink strict = new Sink() {
            @Override
            public Object encode(LogRecord record, LineBuffer out) {
                throw new RefusedException(Refusal.REJECTED, "no");
            }

            @Override
            public void send(SinkBatch batch) {
                throw new AssertionError("nothing is open");
            }
        };
        InputRules split = new InputRules(ZoneOffset.UTC, true);
        SinkSettings settings = SinkSettings.of("out")
                .edit(List.of(Redaction.of("pin=\\d+", "pin=***", null)))
                .rules(split, Map.of());
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(
                    0, TestDatagram.of("<13>pin=1234 x"), TestDatagram.of("<13>first\n<13>second pin=1234\n<13>third"));
            Delivery delivery = Deliveries.of(settings, strict, root, journal);
            Deliveries.work(delivery);
            assertThat(lines("out.ndjson").stream()
                            .map(line -> line.replaceAll(".*\"payload\":\"([^\"]*)\".*", "$1"))
                            .map(payload -> new String(Base64.getDecoder().decode(payload), StandardCharsets.UTF_8)))
                    .containsExactly("<13>pin=*** x", "<13>first", "<13>second pin=***", "<13>third");
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
    }

    /** The expression is in UTF-8, and the message is not. */
    @Test
    void textOfAnotherCharsetIsEditedToo() throws IOException {
        InputRules latin = new InputRules(
                ZoneOffset.UTC,
                false,
                InputRules.DEFAULT.maxExpandedBytes(),
                Objects.requireNonNull(TextCharset.of("iso-8859-1")));
        SinkSettings settings = SinkSettings.of("out")
                .edit(List.of(Redaction.of("M\u00fcller", "***", null)))
                .rules(latin, Map.of());
        Sink strict = Sink.forEach(record -> {
            throw new IllegalArgumentException("no");
        });
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(0, TestDatagram.of("<13>user M\u00fcller logged in".getBytes(StandardCharsets.ISO_8859_1)));
            Delivery delivery = Deliveries.of(settings, strict, root, journal);
            Deliveries.work(delivery);
            String payload = lines("out.ndjson").get(0).replaceAll(".*\"payload\":\"([^\"]*)\".*", "$1");
            assertThat(new String(Base64.getDecoder().decode(payload), StandardCharsets.UTF_8))
                    .isEqualTo("<13>user *** logged in");
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
    }

    @Test
    void eachRefusalIsWrittenAndCountedWithItsKind() throws IOException {
        Sink strict = new Sink() {
            @Override
            public Object encode(LogRecord record, LineBuffer out) {
                throw new RefusedException(Refusal.TOO_LONG, "it has 9 bytes, and 8 are the limit");
            }

            @Override
            public void send(SinkBatch batch) {
                throw new AssertionError("nothing is open");
            }
        };
        try (TestJournal journal = TestJournal.open(root)) {
            journal.append(0, TestDatagram.of("123456789"), TestDatagram.of("123456789"));
            Delivery delivery = Deliveries.of(SinkSettings.of("out"), strict, root, journal);
            Deliveries.work(delivery);
            assertThat(lines("out.ndjson"))
                    .hasSize(2)
                    .allMatch(line ->
                            line.contains("\"kind\":\"too-long\",\"reason\":\"it has 9 bytes, and 8 are the limit\""));
            assertThat(delivery.status().refused())
                    .containsEntry(Refusal.TOO_LONG, 2L)
                    .containsEntry(Refusal.ENCODING, 0L);
            delivery.stop(System.nanoTime());
            delivery.doWork();
        }
    }
}
