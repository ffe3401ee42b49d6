package io.millrace.internal.format.template;

import io.millrace.internal.format.Field;
import io.millrace.internal.format.FieldText;
import io.millrace.internal.format.JournalRecord;
import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.TimeWriter;
import io.millrace.internal.text.NearestName;
import io.millrace.message.LineBuffer;
import io.millrace.message.RecordField;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A field of a template, with its format and its default: {@code hostname}, {@code message:json}, {@code
 * timestamp:%F|never}. One thread.
 */
final class TemplateField implements TemplateFormat.Step {
    /** Fields that are numbers in JSON. */
    private static final Set<RecordField> NUMBERS = Set.of(
            RecordField.VERSION,
            RecordField.SOURCE_PORT,
            RecordField.PID,
            RecordField.UID,
            RecordField.GID,
            RecordField.SHARD,
            RecordField.SEQUENCE,
            RecordField.PART);

    private static final List<String> STYLES = List.of("json", "csv");
    private static final List<String> TIME_STYLES =
            List.of("rfc3339", "epoch", "epoch-ms", "epoch-us", "epoch-ns", "json", "csv");

    /** Appends a value, unescaped; returns false if it is absent. */
    @FunctionalInterface
    interface Value {
        boolean append(JournalRecord record, LineBuffer out);
    }

    /** Appends a value of a format's language. */
    @FunctionalInterface
    private interface Style {
        void append(byte[] bytes, int length, LineBuffer out);
    }

    private final Value value;
    private final Style style;
    private final byte[] absent;
    private final LineBuffer plain = new LineBuffer();

    private TemplateField(Value value, Style style, byte[] absent) {
        this.value = value;
        this.style = style;
        this.absent = absent;
    }

    /**
     * Creates a field.
     *
     * @param format what follows the colon; null for nothing
     * @param absent the default; null for none
     * @param asIs true if values without a format are written without escapes
     * @throws IllegalArgumentException if there is no such field or format
     */
    static TemplateField of(String name, @Nullable String format, @Nullable String absent, boolean asIs) {
        Field named = Field.of(name);
        RecordField field = named.header();
        Value value = value(named, name, format);
        boolean json = "json".equals(format);
        boolean csv = "csv".equals(format);
        boolean number = field != null && NUMBERS.contains(field);
        Style style = json && !number
                ? (bytes, length, out) -> JsonFormat.string(bytes, 0, length, out)
                : csv
                        ? TemplateField::csv
                        : asIs
                                ? (bytes, length, out) -> out.append(bytes, 0, length)
                                : (bytes, length, out) -> out.line(bytes, 0, length);
        return new TemplateField(value, style, absent(absent, json, csv));
    }

    private static Value value(Field named, String name, @Nullable String format) {
        RecordField field = named.header();
        if (format != null && !STYLES.contains(format)) {
            if (field == RecordField.TIMESTAMP || field == RecordField.RECEIVE_TIME) {
                return time(field, format);
            }
            throw new IllegalArgumentException(unknownStyle(name, format, STYLES));
        }
        if (field == null) {
            return values(named);
        }
        TimeWriter times = new TimeWriter();
        return (record, out) -> FieldText.append(field, record, times, out);
    }

    static TemplateFormat.Step isIn(String name) {
        Field field = Field.of(name);
        return (record, out) -> field.isIn(record);
    }

    private static byte[] absent(@Nullable String absent, boolean json, boolean csv) {
        if (absent == null) {
            return LineBuffer.utf8(json ? "null" : csv ? "" : "-");
        }
        byte[] text = LineBuffer.utf8(absent);
        LineBuffer out = new LineBuffer();
        if (json) {
            JsonFormat.string(text, 0, text.length, out);
        } else if (csv) {
            csv(text, text.length, out);
        } else {
            return text;
        }
        return Arrays.copyOf(out.array(), out.length());
    }

    private static Value time(RecordField field, String format) {
        boolean received = field == RecordField.RECEIVE_TIME;
        long unit = switch (format) {
            case "epoch" -> 1_000_000_000;
            case "epoch-ms" -> 1_000_000;
            case "epoch-us" -> 1_000;
            case "epoch-ns" -> 1;
            default -> 0;
        };
        if (unit > 0) {
            return (record, out) -> {
                out.number(Math.floorDiv(timeNs(record, received), unit));
                return true;
            };
        }
        if (format.equals("rfc3339")) {
            TimeWriter times = new TimeWriter();
            return (record, out) -> {
                times.write(timeNs(record, received), out);
                return true;
            };
        }
        if (format.indexOf('%') < 0) {
            throw new IllegalArgumentException(
                    unknownStyle(field.key(), format, TIME_STYLES) + ", or a date such as %Y-%m-%d");
        }
        TimePattern pattern = TimePattern.of(format);
        return (record, out) -> {
            pattern.write(timeNs(record, received), out);
            return true;
        };
    }

    private static long timeNs(JournalRecord record, boolean received) {
        return received ? record.receiveTimeNs() : FieldText.timestampNs(record);
    }

    private static String unknownStyle(String field, String format, List<String> styles) {
        String hint = NearestName.hint(format, styles);
        if (hint.isEmpty() && (TIME_STYLES.contains(format) || format.indexOf('%') >= 0)) {
            hint = ": that is for times";
        }
        return "there is no format " + format + " for " + field + hint + "; there are " + String.join(" ", styles);
    }

    /** The values of a name, with commas between. */
    private static Value values(Field name) {
        return (record, out) -> {
            boolean[] found = {false};
            name.any(record, (bytes, begin, end) -> {
                if (found[0]) {
                    out.put(',');
                }
                out.append(bytes, begin, end);
                found[0] = true;
                return false;
            });
            return found[0];
        };
    }

    /** Appends a value of a CSV file (RFC 4180), in quotes where a reader may need them. */
    private static void csv(byte[] bytes, int length, LineBuffer out) {
        int begin = out.length();
        out.line(bytes, 0, length);
        int end = out.length();
        int quotes = 0;
        boolean quoted = end > begin && (out.array()[begin] == ' ' || out.array()[end - 1] == ' ');
        for (int i = begin; i < end; i++) {
            byte b = out.array()[i];
            quotes += b == '"' ? 1 : 0;
            quoted |= b == '"' || b == ',' || b == ';';
        }
        if (!quoted) {
            return;
        }
        // From the end, so that each byte moves once.
        out.reserve(quotes + 2);
        byte[] to = out.array();
        int o = out.length();
        to[--o] = '"';
        for (int i = end - 1; i >= begin; i--) {
            to[--o] = to[i];
            if (to[o] == '"') {
                to[--o] = '"';
            }
        }
        to[--o] = '"';
    }

    @Override
    public boolean write(JournalRecord record, LineBuffer out) {
        plain.clear();
        if (value.append(record, plain)) {
            style.append(plain.array(), plain.length(), out);
        } else {
            out.append(absent, 0, absent.length);
        }
        return true;
    }
}
