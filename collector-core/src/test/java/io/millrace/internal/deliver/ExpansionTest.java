package io.millrace.internal.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.RawFormat;
import io.millrace.internal.journal.TestJournal;
import io.millrace.internal.record.TestDatagram;
import io.millrace.message.Filter;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import io.millrace.sink.SinkSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Delivery of compressed payloads that expand to much more than they are. */
class ExpansionTest {
    private static final int BATCH_BYTES = 256 << 10;
    private static final int EXPANDED_BYTES = 60_000;

    /** The metadata of a record in JSON. */
    private static final int AROUND_BYTES = 1000;

    @TempDir
    Path root;

    private TestJournal journal;
    private final List<Delivery> deliveries = new ArrayList<>();

    /** Accepts all, and keeps the size of each batch. */
    private static final class Sizes implements Sink {
        private final LineFormat format;
        private final List<Integer> batches = new ArrayList<>();

        Sizes(LineFormat format) {
            this.format = format;
        }

        @Override
        public @Nullable Object encode(LogRecord record, LineBuffer out) {
            format.write(record, out);
            return null;
        }

        @Override
        public void send(SinkBatch batch) {
            batches.add(batch.byteCount());
            batch.done();
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void open() throws IOException {
        journal = TestJournal.open(root);
    }

    @AfterEach
    void close() throws IOException {
        deliveries.forEach(Deliveries::end);
        journal.close();
    }

    /** GELF whose payload is above 1 KiB, so that the whole limit is its own. */
    private static TestDatagram gelf(int expandedBytes) throws IOException {
        byte[] text = new byte[expandedBytes];
        Arrays.fill(text, (byte) 'a');
        byte[] begin = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"".getBytes(UTF_8);
        System.arraycopy(begin, 0, text, 0, begin.length);
        int state = 1;
        for (int i = begin.length; i < 2500; i++) {
            state = state * 1_103_515_245 + 12_345;
            text[i] = (byte) ('a' + (state >>> 16) % 26);
        }
        text[expandedBytes - 2] = '"';
        text[expandedBytes - 1] = '}';
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream stream = new GZIPOutputStream(out)) {
            stream.write(text);
        }
        assertThat(out.size()).isBetween(1024, 4000);
        return TestDatagram.of(out.toByteArray());
    }

    private Counts delivered(SinkSettings settings, Sink sink) throws IOException {
        Delivery delivery = Deliveries.of(settings.batches(10_000, BATCH_BYTES), sink, root, journal);
        deliveries.add(delivery);
        return Deliveries.work(delivery).status().counts();
    }

    private void append(TestDatagram datagram, int count) {
        for (int i = 0; i < count; i++) {
            journal.append(0, datagram, datagram, datagram, datagram, datagram, datagram, datagram, datagram);
        }
    }

    /** A poll of the journal returns the datagrams of a whole slab. */
    @Test
    void batchExceedsItsLimitByOneRecordAtMost() throws IOException {
        append(gelf(EXPANDED_BYTES), 10);
        Sizes sink = new Sizes(new JsonFormat());
        assertThat(delivered(SinkSettings.of("out"), sink)).isEqualTo(new Counts(80, 0, 0, 0));
        assertThat(sink.batches)
                .hasSizeBetween(10, 20)
                .allSatisfy(size -> assertThat(size).isLessThan(BATCH_BYTES + EXPANDED_BYTES + AROUND_BYTES));
    }

    @Test
    void whatExpandsTooFarIsADeadLetterOfOutputsThatNeedIt() throws IOException {
        append(gelf(1 << 20), 1);
        journal.append(0, TestDatagram.of("{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"good\"}"));
        assertThat(delivered(SinkSettings.of("json"), new Sizes(new JsonFormat())))
                .isEqualTo(new Counts(1, 0, 8, 0));
        assertThat(Files.readAllLines(root.resolve("dead-letters/json.ndjson")))
                .hasSize(8)
                .allSatisfy(letter -> assertThat(letter)
                        .contains("\"kind\":\"too-long\"", "it is compressed, and expands to more than 65536 bytes"));
        assertThat(delivered(SinkSettings.of("raw"), new Sizes(new RawFormat())))
                .isEqualTo(new Counts(9, 0, 0, 0));
        assertThat(delivered(
                        SinkSettings.of("good").where(Filter.compile("message == \"good\"")),
                        new Sizes(new JsonFormat())))
                .isEqualTo(new Counts(1, 8, 0, 0));
        assertThat(delivered(
                        SinkSettings.of("bytes").where(Filter.compile("not message == \"good\"")),
                        new Sizes(new RawFormat())))
                .as("a filter that looks at the message, and a format that does not")
                .isEqualTo(new Counts(8, 1, 0, 0));
    }
}
