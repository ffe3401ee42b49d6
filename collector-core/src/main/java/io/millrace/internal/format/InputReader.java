package io.millrace.internal.format;

import io.millrace.internal.charset.Utf8Converter;
import io.millrace.internal.gelf.Expander;
import io.millrace.internal.gelf.TooLargeException;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.message.InputRules;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What reads the messages of an input: expands them, converts their text to UTF-8, and parses them. One thread. */
final class InputReader {
    private static final byte[] NO_BYTES = {};

    private final SyslogParser parser;
    private final boolean splitLines;
    private final int maxExpandedBytes;
    private final @Nullable Utf8Converter converter;
    private @Nullable Expander expander;

    InputReader(SyslogParser parser, boolean splitLines, int maxExpandedBytes, @Nullable Utf8Converter converter) {
        this.parser = parser;
        this.splitLines = splitLines;
        this.maxExpandedBytes = maxExpandedBytes;
        this.converter = converter;
    }

    static InputReader of(InputRules rules) {
        return new InputReader(
                new SyslogParser(rules.zone()),
                rules.splitLines(),
                rules.maxExpandedBytes(),
                converter(rules.charset().charset()));
    }

    /** A converter to UTF-8; null if the text is UTF-8. */
    private static @Nullable Utf8Converter converter(@Nullable Charset charset) {
        if (charset == null) {
            return Utf8Converter.auto();
        }
        return charset.equals(StandardCharsets.UTF_8) ? null : Utf8Converter.of(charset);
    }

    /** True if lines are separate messages. */
    boolean splitsLines() {
        return splitLines;
    }

    /** True if there is text in another charset than UTF-8. */
    boolean converts() {
        return converter != null;
    }

    /**
     * Parses a message.
     *
     * @param isUtf8 true if it is UTF-8, false if it is in the charset of the input
     * @return true if it was converted
     */
    boolean parse(byte[] b, int begin, int end, boolean isUtf8, long receiveTimeNs, ParsedMessage message) {
        if (isUtf8 || converter == null || !converter.convert(b, begin, end)) {
            parser.parse(b, begin, end, receiveTimeNs, message);
            return false;
        }
        parser.parse(converter.bytes(), 0, converter.length(), receiveTimeNs, message);
        return true;
    }

    /** The text that was converted last, which begins at 0; not a copy. */
    byte[] convertedBytes() {
        return converter == null ? NO_BYTES : converter.bytes();
    }

    /** The length of the text that was converted last. */
    int convertedLength() {
        return converter == null ? 0 : converter.length();
    }

    Expander.Payload expand(byte[] b, int begin, int end) {
        Expander own = expander == null ? new Expander() : expander;
        expander = own;
        return own.expand(b, begin, end, maxExpanded(end - begin));
    }

    /** The longest message that a compressed payload of a length may hold. */
    int maxExpanded(int length) {
        return Expander.limit(maxExpandedBytes, length);
    }

    TooLargeException tooLarge(int length) {
        return new TooLargeException(length, maxExpanded(length));
    }
}
