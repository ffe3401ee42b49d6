package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.TestSeed;
import io.millrace.collector.Multiline;
import io.millrace.internal.filter.Regex;
import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MultilineDecoderTest {
    private static final int MAX = 20;

    private final FramingCounts counts = new FramingCounts();
    private final List<String> found = new ArrayList<>();
    private boolean full;

    private static Multiline lines(String expression) {
        return new Multiline(expression, Regex.startsWith(expression)::test, Duration.ofSeconds(1));
    }

    private MultilineDecoder decoder() {
        return new MultilineDecoder(lines("<\\d+>"), MAX, new RemainderPool(), counts);
    }

    private boolean sink(ByteBuffer memory, int offset, int length, int originalLength, int marks) {
        if (full) {
            return false;
        }
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        found.add(new String(bytes, ISO_8859_1).replace('\n', '|') + (marks == FrameWriter.TRUNCATED ? "~" : ""));
        return true;
    }

    private static ByteBuffer memory(String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return ByteBuffer.allocateDirect(bytes.length + 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(0, bytes);
    }

    private void take(MultilineDecoder decoder, String text) {
        assertThat(decoder.take(memory(text), 0, text.length(), this::sink)).isEqualTo(text.length());
    }

    private void assertCounted(MultilineDecoder decoder, int read) {
        assertThat(counts.payloadBytes + counts.framingBytes + counts.skippedBytes + decoder.pending())
                .isEqualTo(read);
    }

    /** A bar is a line feed, and of the messages one within; a tilde is a mark. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "<1>a|<2>b|, <1>a;<2>b",
                "<1>a| at x| at y|<2>b|, <1>a| at x| at y;<2>b",
                "<1>a\r| at x\r|<2>b\r|, <1>a| at x;<2>b",
                "<1>a||b|<2>c|, <1>a||b;<2>c",
                "||<1>a|, <1>a",
                "no start| x|<1>a|, no start| x;<1>a",
                "<1>a| at x, <1>a| at x",
                "<1>a| at x| 34567890123456|<2>b|, <1>a| at x; 34567890123456;<2>b",
                "<1>4567890123456789012345| x|<2>b|, <1>45678901234567890~; x;<2>b",
                "<1>a|45678901234567890123456|<2>b|, <1>a;45678901234567890123~;<2>b",
                "<1>45678901234567890\r|<2>b|, <1>45678901234567890;<2>b",
            })
    void linesAreJoined(String stream, String messages) {
        String text = stream.replace('|', '\n');
        MultilineDecoder decoder = decoder();
        take(decoder, text);
        assertCounted(decoder, text.length());
        assertThat(decoder.end(this::sink)).isTrue();
        assertThat(String.join(";", found)).isEqualTo(messages);
        assertCounted(decoder, text.length());
        assertThat(decoder.pending()).isZero();
        assertThat(decoder.memoryBytes()).isZero();
    }

    @Test
    void messageIsPassedOnAfterItsTimeout() {
        MultilineDecoder decoder = decoder();
        take(decoder, "<1>a\n b\n c");
        assertThat(decoder.settleNs()).isEqualTo(1_000_000_000);
        assertThat(decoder.settle(this::sink)).isTrue();
        assertThat(found).containsExactly("<1>a| b");
        assertThat(decoder.settle(this::sink)).as("a line that is not complete").isFalse();
        take(decoder, "d\n<2>e\n");
        assertThat(found).containsExactly("<1>a| b", " cd");
        assertThat(decoder.settle(this::sink)).isTrue();
        assertThat(found).containsExactly("<1>a| b", " cd", "<2>e");
        assertCounted(decoder, "<1>a\n b\n cd\n<2>e\n".length());
    }

    @Test
    void whatWaitsIsSkippedIfAbandoned() {
        MultilineDecoder decoder = decoder();
        take(decoder, "<1>a\n b");
        decoder.abandon();
        assertThat(counts.skippedBytes).isEqualTo(7);
        assertThat(decoder.end(this::sink)).isTrue();
        assertThat(found).isEmpty();
    }

    /** Whatever the reads and the room are, the messages are the same, and every byte is counted. */
    @Test
    void readsAndRoomMakeNoDifference() {
        Random random = TestSeed.random(MultilineDecoderTest.class);
        String[] parts = {"<1>", "\n", "\r\n", "a", " at x", "0123456789", "<", "\n\n", "\r"};
        for (int round = 0; round < 20_000; round++) {
            StringBuilder stream = new StringBuilder();
            int count = random.nextInt(20);
            for (int i = 0; i < count; i++) {
                stream.append(parts[random.nextInt(parts.length)]);
            }
            String text = stream.toString();
            found.clear();
            MultilineDecoder whole = decoder();
            take(whole, text);
            assertThat(whole.end(this::sink)).isTrue();
            List<String> expected = List.copyOf(found);
            found.clear();
            inPieces(text, random);
            assertThat(found).as(text).isEqualTo(expected);
        }
    }

    private void inPieces(String text, Random random) {
        FramingCounts own = new FramingCounts();
        MultilineDecoder decoder = new MultilineDecoder(lines("<\\d+>"), MAX, new RemainderPool(), own);
        FrameSink sink = (memory, offset, length, originalLength, marks) -> {
            full = random.nextInt(3) == 0;
            return sink(memory, offset, length, originalLength, marks);
        };
        int at = 0;
        while (at < text.length()) {
            int to = Math.min(text.length(), at + 1 + random.nextInt(8));
            ByteBuffer memory = memory(text);
            while (at < to) {
                at = decoder.take(memory, at, to, sink);
                assertThat(own.payloadBytes + own.framingBytes + own.skippedBytes + decoder.pending())
                        .as(text)
                        .isEqualTo(at);
            }
        }
        while (!decoder.end(sink)) {
            // No room yet.
        }
        full = false;
        assertThat(own.payloadBytes + own.framingBytes + own.skippedBytes)
                .as(text)
                .isEqualTo(text.length());
        assertThat(own.messages).isEqualTo(found.size());
    }

    @Test
    void timeoutHasLimits() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Multiline("a", (b, from, to) -> true, Duration.ofMillis(999)))
                .withMessage("timeout accepts a time from 1s to 1m, not 999ms");
        assertThat(lines("a")).isEqualTo(lines("a")).isNotEqualTo(lines("b"));
    }
}
