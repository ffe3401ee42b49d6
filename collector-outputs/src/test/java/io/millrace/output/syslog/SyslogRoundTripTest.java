package io.millrace.output.syslog;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestSeed;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.transport.framing.Framer;
import io.millrace.internal.transport.framing.FramingCounts;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.output.internal.forward.SyslogEncoder;
import io.millrace.output.syslog.SyslogSettings.Format;
import io.millrace.output.syslog.SyslogSettings.Framing;
import io.millrace.sink.RefusedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Whatever the bytes of a message are, an input reads what an output has written as one message: no message of one device costs one of
 * another behind the same relay. More messages: {@code -Dmillrace.test.roundtrips=10000000}.
 */
class SyslogRoundTripTest {
    private static final int MESSAGES = Integer.getInteger("millrace.test.roundtrips", 100_000);
    private static final int MAX_BYTES = 1 << 16;

    private final LogRecord record = LogRecord.of(new InputRules(ZoneOffset.UTC, false));
    private final LineBuffer out = new LineBuffer();
    private final RemainderPool pool = new RemainderPool();
    private final FramingCounts counts = new FramingCounts();
    private final ByteBuffer memory = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);

    @ParameterizedTest
    @CsvSource({
        "OCTET_COUNTING, RAW, AUTO",
        "OCTET_COUNTING, RAW, OCTET_COUNTING",
        "OCTET_COUNTING, RFC5424, AUTO",
        "LINE_FEED, RAW, AUTO",
        "LINE_FEED, RAW, NEWLINE",
        "LINE_FEED, RFC5424, AUTO"
    })
    void eachMessageIsReadAsOne(Framing written, Format format, io.millrace.collector.StreamSettings.Framing read) {
        Random random = TestSeed.random(SyslogRoundTripTest.class);
        SyslogEncoder encoder = encoder(written, format);
        int limit = format == Format.RAW ? MESSAGES : MESSAGES / 10;
        for (int i = 0; i < limit; ) {
            out.clear();
            List<String> sent = new ArrayList<>();
            List<byte[]> messages = new ArrayList<>();
            for (int n = 1 + random.nextInt(6); n > 0; n--, i++) {
                messages.add(message(random));
                encode(encoder, messages.get(messages.size() - 1), written, sent);
            }
            List<String> found = read(read, 1 + random.nextInt(random.nextBoolean() ? 5 : MAX_BYTES));
            assertThat(found)
                    .as(() -> messages.stream()
                            .map(m -> new String(m, ISO_8859_1))
                            .toList()
                            .toString())
                    .isEqualTo(sent);
        }
        assertThat(counts.errors).isZero();
        assertThat(counts.skippedBytes).isZero();
    }

    @Test
    void datagramWithACountSilencesNoOtherDevice() {
        SyslogEncoder encoder = encoder(Framing.LINE_FEED, Format.RAW);
        List<String> sent = new ArrayList<>();
        encode(encoder, "999999 <13>x".getBytes(ISO_8859_1), Framing.LINE_FEED, sent);
        encode(encoder, "<13>a\0b".getBytes(ISO_8859_1), Framing.LINE_FEED, sent);
        assertThat(read(io.millrace.collector.StreamSettings.Framing.AUTO, 7))
                .containsExactly(" 999999 <13>x", "<13>a#000b");

        out.clear();
        encode(
                encoder(Framing.OCTET_COUNTING, Format.RAW),
                "no priority".getBytes(ISO_8859_1),
                Framing.OCTET_COUNTING,
                sent);
        assertThat(read(io.millrace.collector.StreamSettings.Framing.AUTO, 7)).containsExactly("<13>no priority");
    }

    private static SyslogEncoder encoder(Framing framing, Format format) {
        return new SyslogEncoder(SyslogSettings.builder()
                .host("h")
                .port(514)
                .format(format)
                .framing(framing)
                .maxMessage(MAX_BYTES)
                .build()
                .encoding());
    }

    private void encode(SyslogEncoder encoder, byte[] message, Framing framing, List<String> sent) {
        int begin = out.length();
        try {
            encoder.write(record.wrap(message, 0, message.length, 0), out);
        } catch (RefusedException e) {
            out.end(begin);
            return;
        }
        String frame = new String(out.array(), begin, out.length() - begin, ISO_8859_1);
        String text = framing == Framing.OCTET_COUNTING
                ? frame.substring(frame.indexOf(' ') + 1)
                : frame.substring(0, frame.length() - 1);
        boolean cut = framing == Framing.LINE_FEED && text.endsWith("\r");
        sent.add(cut ? text.substring(0, text.length() - 1) : text);
    }

    private List<String> read(io.millrace.collector.StreamSettings.Framing framing, int piece) {
        Framer framer = new Framer(framing, MAX_BYTES, pool, counts);
        List<String> found = new ArrayList<>();
        io.millrace.internal.transport.framing.FrameSink sink = (from, offset, length, original, marks) -> {
            byte[] bytes = new byte[length];
            from.get(offset, bytes);
            String mark = (marks & FrameWriter.INCOMPLETE) != 0 ? " (incomplete)" : "";
            found.add(new String(bytes, ISO_8859_1) + mark);
            return true;
        };
        memory.put(0, out.array(), 0, out.length());
        for (int at = 0; at < out.length(); at += piece) {
            int unused = framer.take(memory, at, Math.min(out.length(), at + piece), sink);
        }
        assertThat(framer.end(sink)).isTrue();
        return found;
    }

    private static byte[] message(Random random) {
        StringBuilder text = new StringBuilder();
        switch (random.nextInt(6)) {
            case 0 -> text.append("<13>");
            case 1 -> text.append(random.nextInt(60)).append(" <13>");
            case 2 ->
                text.append("\u00ef\u00bb\u00bf").append(random.nextInt(60)).append(" <");
            default -> {}
        }
        for (int length = random.nextInt(24); length > 0; length--) {
            text.append(
                    switch (random.nextInt(12)) {
                        case 0 -> "\n";
                        case 1 -> "\0";
                        case 2 -> "\r";
                        case 3 -> " <";
                        case 4 -> "\n<13>";
                        case 5 -> String.valueOf(random.nextInt(60));
                        case 6 -> String.valueOf((char) random.nextInt(256));
                        case 7 -> random.nextInt(60) + " <14>";
                        default -> "x";
                    });
        }
        return text.toString().getBytes(ISO_8859_1);
    }
}
