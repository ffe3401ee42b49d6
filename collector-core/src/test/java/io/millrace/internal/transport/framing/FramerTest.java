package io.millrace.internal.transport.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.collector.StreamSettings.Framing;
import io.millrace.internal.record.FrameWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FramerTest {
    private static final int MAX = 20;

    private final FramingCounts counts = new FramingCounts();
    private final List<String> found = new ArrayList<>();
    private final RemainderPool pool = new RemainderPool();
    private int lastOriginal;
    private int lastMarks;

    private boolean sink(ByteBuffer memory, int offset, int length, int original, int marks) {
        byte[] bytes = new byte[length];
        memory.get(offset, bytes);
        found.add(new String(bytes, ISO_8859_1));
        lastOriginal = original;
        lastMarks = marks;
        return true;
    }

    private Framer framer(Framing framing) {
        return new Framer(framing, MAX, pool, counts);
    }

    private void feed(Framer framer, String text) {
        ByteBuffer memory = ByteBuffer.wrap(text.getBytes(ISO_8859_1)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(framer.take(memory, 0, memory.capacity(), this::sink)).isEqualTo(memory.capacity());
    }

    private List<String> messages(Framing framing, String... reads) {
        Framer framer = framer(framing);
        for (String read : reads) {
            feed(framer, read);
        }
        assertThat(framer.end(this::sink)).isTrue();
        return found;
    }

    @Test
    void autoDecidesForEachMessage() {
        assertThat(messages(Framing.AUTO, "9 <13>count<13>line\n<13>line with CR\r\n8 <13>more"))
                .containsExactly("<13>count", "<13>line", "<13>line with CR", "<13>more");
        assertThat(counts.framingBytes).isEqualTo(2 + 1 + 2 + 2);
        assertThat(counts.errors).isZero();
    }

    @Test
    void digitsAreACountOnlyBeforeAPriority() {
        assertThat(messages(Framing.AUTO, "12 monkeys\n1700000000000 epoch\n12\n", "34", " ", "<56>", "\n"))
                .containsExactly("12 monkeys", "1700000000000 epoch", "12", "<56>\n");
        assertThat(lastMarks).isEqualTo(FrameWriter.INCOMPLETE);
        assertThat(lastOriginal).isEqualTo(34);
    }

    @Test
    void emptyMessagesCountAsFraming() {
        assertThat(messages(Framing.AUTO, "\n\r\n\na\n\n")).containsExactly("a");
        assertThat(counts.framingBytes).isEqualTo(6);
    }

    @Test
    void tooLongLineIsTruncatedAndTheNextOneIsRead() {
        assertThat(messages(Framing.NEWLINE, "x".repeat(MAX) + "\r\n" + "y".repeat(MAX + 5), "yyy\r\nnext\n"))
                .containsExactly("x".repeat(MAX), "y".repeat(MAX), "next");
        assertThat(counts.truncated).isEqualTo(1);
        assertThat(counts.skippedBytes).isEqualTo(9);
    }

    @Test
    void tooLongCountedMessageIsTruncatedAndTheNextOneIsRead() {
        assertThat(messages(Framing.AUTO, "30 <13>" + "x".repeat(26) + "8 <13>next"))
                .containsExactly("<13>" + "x".repeat(16), "<13>next");
        assertThat(counts.skippedBytes).isEqualTo(10);
    }

    @Test
    void lengthOfATooLongCountedMessageIsKnown() {
        messages(Framing.AUTO, "30 <13>" + "x".repeat(26));
        assertThat(lastOriginal).isEqualTo(30);
        assertThat(lastMarks).isEqualTo(FrameWriter.TRUNCATED);
    }

    @Test
    void invalidCountsAreCountedAsErrors() {
        assertThat(messages(Framing.AUTO, "007 <13>abc0 <13>x\n99999999999 <13>a\n"))
                .containsExactly("<13>abc", "<13>x", "99999999999 <13>a");
        assertThat(counts.errors).isEqualTo(3);
    }

    @Test
    void missingCountSkipsTheRestOfTheStream() {
        Framer framer = framer(Framing.OCTET_COUNTING);
        feed(framer, "3 abc\n2 de<13>no count\n3 abc");
        assertThat(found).containsExactly("abc", "de");
        assertThat(framer.isBroken()).isTrue();
        assertThat(counts.errors).isEqualTo(1);
        assertThat(counts.skippedBytes).isEqualTo(18);
    }

    @Test
    void largeCountDoesNotReserveMemory() {
        Framer framer = framer(Framing.AUTO);
        feed(framer, "200000 <13>a");
        assertThat(framer.memoryBytes()).isLessThanOrEqualTo(256);
        assertThat(framer.pending()).isEqualTo(12);
    }

    @Test
    void countThatNothingCanSatisfyIsText() {
        assertThat(messages(Framing.AUTO, "999999999 <text\n<13>next\n", "8 <13>more"))
                .containsExactly("999999999 <text", "<13>next", "<13>more");
        assertThat(counts.errors).isEqualTo(1);
        assertThat(messages(Framing.OCTET_COUNTING, "999999999 <text")).hasSize(3);
        assertThat(counts.errors).isEqualTo(2);
    }

    @Test
    void countInALineOfAnUntrustedSenderCostsNoOtherLine() {
        assertThat(messages(Framing.AUTO, "<13>a\n16 <13>x\n<1", "4>b\n<15>c\n7 <13>abc\n"))
                .containsExactly("<13>a", "16 <13>x", "<14>b", "<15>c", "<13>abc");
        assertThat(counts.errors).isEqualTo(1);
    }

    @Test
    void countedMessageMayHoldALineWithAPriority() {
        assertThat(messages(Framing.AUTO, "13 <13>a\n<14>bcd8 <13>next")).containsExactly("<13>a\n<14>bcd", "<13>next");
        assertThat(messages(Framing.AUTO, "13 <13>a\n<14>bcd")).hasSize(3);
        assertThat(counts.errors).isZero();
    }

    @Test
    void tooLongMessageWithLinesIsTruncatedAndTheNextOnesAreRead() {
        String longer = "<13>a\n<11>forged " + "x".repeat(50);
        assertThat(messages(Framing.AUTO, longer.length() + " " + longer, "8 <13>next8 <13>more"))
                .containsExactly(longer.substring(0, MAX), "<13>next", "<13>more");
        assertThat(counts.errors).isZero();
        assertThat(counts.skippedBytes).isEqualTo(longer.length() - MAX);
    }

    @Test
    void tooLargeCountBeforeLinesLosesNoneOfThem() {
        assertThat(messages(Framing.AUTO, "94 <13>x\n", "<13>b\n".repeat(20), "<13>end\n"))
                .hasSize(22)
                .startsWith("94 <13>x", "<13>b")
                .endsWith("<13>end");
        assertThat(counts.errors).isEqualTo(1);
        assertThat(counts.skippedBytes).isZero();
    }

    @Test
    void messagesWithLinesAreBelievedAgainAfterAWrongCount() {
        assertThat(messages(Framing.AUTO, "16 <13>x\n<14>b\n<15>c\n15 <14>b\n<15>inner8 <13>tail"))
                .containsExactly("16 <13>x", "<14>b", "<15>c", "<14>b\n<15>inner", "<13>tail");
        assertThat(counts.errors).isEqualTo(1);
    }

    @Test
    void linesBehindACountThatNothingSatisfiesDoNotWait() {
        Framer framer = framer(Framing.AUTO);
        feed(framer, "1500 <13>x\n<13>a\n<13>b\n");
        assertThat(found).isEmpty();
        assertThat(framer.settle(this::sink)).isTrue();
        assertThat(found).containsExactly("1500 <13>x", "<13>a", "<13>b");
        assertThat(messages(Framing.AUTO, "1500 <13>x\n<13>a\n"))
                .as("at the end")
                .hasSize(5);
    }

    @Test
    void linesBehindAWrongCountMayBeginWithAnotherOne() {
        Framer framer = framer(Framing.AUTO);
        feed(framer, "1500 <13>x\n900 <13>y\n<13>a\n");
        FrameSink full = (memory, offset, length, original, marks) -> false;
        assertThat(framer.end(full)).isFalse();
        assertThat(framer.end(this::sink)).isTrue();
        assertThat(found).containsExactly("1500 <13>x", "900 <13>y", "<13>a");
    }

    @Test
    void messageThatWaitsForWhatFollowsIsPassedOnWhenNothingDoes() {
        Framer framer = framer(Framing.AUTO);
        feed(framer, "13 <13>a\n<14>bcd");
        assertThat(found).isEmpty();
        assertThat(framer.settle(this::sink)).isTrue();
        assertThat(found).containsExactly("<13>a\n<14>bcd");
        feed(framer, "8 <13>next");
        assertThat(found).hasSize(2);
    }

    @Test
    void countInCharactersLosesNoByteAndNoLaterMessage() {
        // The sender counts characters: each of its umlauts has two bytes.
        assertThat(messages(Framing.AUTO, "9 <13>\u00c3\u00a4\u00c3\u00b6\u00c3\u00bcx", "yz8 <13>next8 <13>more"))
                .containsExactly("<13>\u00c3\u00a4\u00c3\u00b6\u00c3", "\u00bcxyz", "<13>next", "<13>more");
        assertThat(counts.errors).isEqualTo(1);
        assertThat(counts.incomplete).isEqualTo(1);
    }

    @Test
    void countThatIncludesItsBlankLosesNoByte() {
        assertThat(messages(Framing.AUTO, "9 <13>next9 <13>more9 <13>last\n<13>line\n"))
                .containsExactly("<13>next9", " <13>more", "<13>last\n", "<13>line");
        assertThat(counts.payloadBytes + counts.framingBytes).isEqualTo(40);
    }

    @Test
    void byteOrderMarkBeforeACountIsFraming() {
        assertThat(messages(Framing.AUTO, "\u00ef\u00bb", "\u00bf8 <13>next\u00ef\u00bb\u00bf8 <13>more"))
                .containsExactly("<13>next", "<13>more");
        assertThat(counts.framingBytes).isEqualTo(10);
    }

    @Test
    void errorNamesTheBytesAroundIt() {
        Framer framer = framer(Framing.OCTET_COUNTING);
        feed(framer, "3 abc\u00e4bc");
        assertThat(framer.takeError()).isEqualTo("there is no octet count: after '3 abc' comes '\\xe4bc'");
        assertThat(framer.takeError()).isNull();
    }

    @Test
    void unterminatedLastLineIsAMessage() {
        assertThat(messages(Framing.NUL, "a\0b")).containsExactly("a", "b");
        assertThat(lastMarks).isZero();
    }

    @Test
    void messageThatTheSinkRefusedIsOfferedAgain() {
        Framer framer = framer(Framing.NEWLINE);
        feed(framer, "begin ");
        ByteBuffer memory = ByteBuffer.wrap("end\nnext\n".getBytes(ISO_8859_1)).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(framer.take(memory, 0, 9, (m, offset, length, original, marks) -> false))
                .isZero();
        assertThat(framer.take(memory, 0, 9, this::sink)).isEqualTo(9);
        assertThat(found).containsExactly("begin end", "next");
        assertThat(framer.memoryBytes()).isZero();
    }

    @Test
    void searchFindsTheFirstMatchAtAnyOffset() {
        ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 40; i++) {
            memory.put(i, (byte) (i % 2 == 0 ? 0x0b : 0x8a));
        }
        for (int from = 0; from < 20; from++) {
            for (int at = from; at < 40; at++) {
                byte before = memory.get(at);
                memory.put(at, (byte) '\n').put(40, (byte) '\n');
                assertThat(ByteSearch.find(memory, from, 40, (byte) '\n')).isEqualTo(at);
                memory.put(at, before);
                assertThat(ByteSearch.find(memory, from, 40, (byte) '\n')).isEqualTo(-1);
            }
        }
    }
}
