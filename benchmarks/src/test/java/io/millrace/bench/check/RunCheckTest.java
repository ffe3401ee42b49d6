package io.millrace.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sender.payload.SequencePayload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCheckTest {
    private static final int RUN = 0xabc;

    private final RunCheck check = new RunCheck(RUN);

    private static byte[] payload(String before, int source, int sequence, String after) {
        byte[] identity = new byte[SequencePayload.LENGTH];
        SequencePayload.encode(identity, 0, RUN, source, sequence, 0);
        return (before + new String(identity, StandardCharsets.US_ASCII) + after).getBytes(StandardCharsets.US_ASCII);
    }

    private void add(int source, int sequence) {
        byte[] payload = payload("", source, sequence, "");
        check.add(payload, 0, payload.length);
    }

    @Test
    void completeRunHasNoErrors() {
        for (int i = 0; i < 1000; i++) {
            add(i % 2, i / 2);
        }
        assertThat(check.distinct()).isEqualTo(1000);
        assertThat(check.sourceCount()).isEqualTo(2);
        assertThat(check.holes() + check.duplicated() + check.reordered() + check.others())
                .isZero();
    }

    @Test
    void countsGapsDuplicatesAndReordering() {
        for (int sequence : new int[] {0, 1, 4, 3, 3, 200, 199}) {
            add(7, sequence);
        }
        SourceCheck source = check.find(7).orElseThrow();
        assertThat(source.received()).isEqualTo(7);
        assertThat(source.duplicated()).isEqualTo(1);
        assertThat(source.reordered()).isEqualTo(3);
        assertThat(source.highest()).isEqualTo(200);
        assertThat(source.holes()).isEqualTo(201 - 6);
        assertThat(source.has(199)).isTrue();
        assertThat(source.has(2)).isFalse();
        assertThat(check.distinct()).isEqualTo(6);
    }

    @Test
    void findsAnIdentityAfterASyslogHeader() {
        byte[] payload = payload("<134>Nov 21 09:00:00 fw1 app: ", 3, 9, " and more");
        check.add(payload, 0, payload.length);
        assertThat(check.find(3).orElseThrow().has(9)).isTrue();
    }

    @Test
    void countsPayloadsOfOtherOriginSeparately() {
        byte[] other = "<13>hello".getBytes(StandardCharsets.US_ASCII);
        check.add(other, 0, other.length);
        assertThat(check.others()).isEqualTo(1);
        assertThat(check.distinct()).isZero();
    }

    @Test
    void findsLinesAcrossBuffers(@TempDir Path directory) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        int lines = 30_000;
        for (int i = 0; i < lines; i++) {
            text.write(payload("x".repeat(i % 61), 1, i, i % 17 == 0 ? "" : " " + "y".repeat(i % 17)));
            text.write(i == lines - 1 ? new byte[0] : new byte[] {'\n'});
        }
        LineFile.read(Files.write(directory.resolve("lines"), text.toByteArray()), check::add);
        assertThat(check.distinct()).isEqualTo(lines);
        assertThat(check.others()).isZero();
        assertThat(check.holes()).isZero();
    }

    @Test
    void linesWithATimeHaveALatency() {
        byte[] lines = (new String(payload("", 1, 0, ""), StandardCharsets.US_ASCII) + "\n")
                .getBytes(StandardCharsets.US_ASCII);
        // The payload was due at 0.
        assertThat(check.addLines(lines, lines.length, 3_000_000)).isEqualTo(lines.length);
        assertThat(check.addLines(lines, lines.length)).isEqualTo(lines.length);
        assertThat(check.latency().getTotalCount()).isEqualTo(1);
        assertThat(check.latency().getMaxValue()).isBetween(3_000L, 3_010L);
    }

    @Test
    void fileWithoutNewlinesEnds(@TempDir Path directory) throws IOException {
        LineFile.read(Files.write(directory.resolve("lines"), new byte[3 << 20]), check::add);
        assertThat(check.distinct()).isZero();
    }
}
