package io.millrace.internal.format;

import io.millrace.internal.charset.Utf8;
import io.millrace.internal.text.ForeignText;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Formatter for terminals, around another format: it escapes characters that a terminal interprets. Otherwise any
 * sender of a datagram could send commands to the terminal, or disguise a line by right-to-left text. Control
 * characters become {@code #} and three octal digits, others their code point, {@code <U+202E>}. In JSON both become
 * JSON escapes.
 */
public final class TerminalFormat implements LineFormat {
    private final LineFormat format;
    private final boolean json;
    private final LineBuffer line = new LineBuffer();

    /** The format of the payload, one line each. */
    public TerminalFormat() {
        this(new RawFormat());
    }

    /** Creates the format around another one. */
    public TerminalFormat(LineFormat format) {
        this.format = format;
        this.json = format instanceof JsonFormat;
    }

    @Override
    public void write(LogRecord record, LineBuffer out) {
        line.clear();
        format.write(record, line);
        byte[] bytes = line.array();
        int end = line.length();
        if (end > 0 && bytes[end - 1] == '\n') {
            end--;
        }
        for (int i = 0; i < end; ) {
            int first = bytes[i] & 0xff;
            int length = first < 0x80 ? 1 : Utf8.sequence(bytes, i, end);
            if (length < 0) {
                out.append(Utf8.replacement());
            } else {
                int character = length > 3 ? 0 : character(bytes, i, length);
                if (length <= 3 && ForeignText.isObeyed(character)) {
                    out.ascii(shown(character));
                } else {
                    out.append(bytes, i, i + length);
                }
            }
            i += Math.abs(length);
        }
        out.put('\n');
    }

    private static int character(byte[] bytes, int begin, int length) {
        return length == 1 ? bytes[begin] : new String(bytes, begin, length, StandardCharsets.UTF_8).charAt(0);
    }

    private String shown(int character) {
        if (json) {
            return String.format(Locale.ROOT, "\\u%04x", character);
        }
        return character < 0x100
                ? String.format(Locale.ROOT, "#%03o", character)
                : String.format(Locale.ROOT, "<U+%04X>", character);
    }
}
