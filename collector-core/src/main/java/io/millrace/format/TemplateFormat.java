package io.millrace.format;

import io.millrace.parse.FieldName;
import java.util.ArrayList;
import java.util.List;

/**
 * Formatter by a template such as <code>{timestamp} {hostname} {appname}: {message}</code>. An absent field is a dash;
 * two braces are one. Control characters in values become {@code #} and three octal digits, so the result stays one
 * line.
 */
public final class TemplateFormat implements LineFormat {
    /** A field of the template. */
    @FunctionalInterface
    private interface Part {
        /** Appends the value; returns false if it is absent. */
        boolean append(LogRecord record, TimeWriter times, LineBuffer out);
    }

    /** The text before each field, and after the last. */
    private final List<byte[]> texts;

    private final List<Part> fields;
    private final TimeWriter times = new TimeWriter();
    private final LineBuffer value = new LineBuffer();
    private final boolean ofBytes;

    private TemplateFormat(List<byte[]> texts, List<Part> fields, boolean ofBytes) {
        this.texts = texts;
        this.fields = fields;
        this.ofBytes = ofBytes;
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if a brace is not closed, or a field is unknown; the message has the column
     */
    public static TemplateFormat of(String template) {
        List<byte[]> texts = new ArrayList<>();
        List<Part> fields = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        boolean ofBytes = false;
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            if ((c == '{' || c == '}') && i + 1 < template.length() && template.charAt(i + 1) == c) {
                text.append(c);
                i++;
            } else if (c == '{') {
                int end = template.indexOf('}', i);
                texts.add(LineBuffer.utf8(text.toString()));
                fields.add(field(template, i, end));
                ofBytes |= template.substring(i + 1, end).equals(RecordField.RAW.key());
                text.setLength(0);
                i = end;
            } else if (c == '}') {
                throw new IllegalArgumentException(
                        "column " + (i + 1) + " of the template: a } without its {; for the character itself write }}");
            } else {
                text.append(c);
            }
        }
        texts.add(LineBuffer.utf8(text.toString()));
        return new TemplateFormat(texts, fields, ofBytes);
    }

    private static Part field(String template, int begin, int end) {
        String at = "column " + (begin + 1) + " of the template: ";
        if (end < 0) {
            throw new IllegalArgumentException(at + "a { without its }; for the character itself write {{");
        }
        String name = template.substring(begin + 1, end);
        RecordField field = RecordField.of(name);
        if (field != null) {
            return field::append;
        }
        FieldName value = FieldName.of(name);
        if (value == null) {
            throw new IllegalArgumentException(at + RecordField.unknown(name));
        }
        return (record, times, out) -> append(value, record, out);
    }

    /** Appends the values with commas between; returns false if there is none. */
    private static boolean append(FieldName name, LogRecord record, LineBuffer out) {
        int before = out.length();
        boolean[] found = {false};
        name.any(record.message(), (bytes, begin, end) -> {
            if (found[0]) {
                out.put(',');
            }
            out.append(bytes, begin, end);
            found[0] = true;
            return false;
        });
        return found[0] && out.length() >= before;
    }

    @Override
    public boolean writesBytes() {
        return ofBytes;
    }

    /** True if the result is the same for each record. */
    public boolean isConstant() {
        return fields.isEmpty();
    }

    /** Appends the result without a line feed, and with the values as they are: it may have several lines. */
    public void append(LogRecord record, LineBuffer out) {
        for (int i = 0; i < fields.size(); i++) {
            out.append(texts.get(i));
            if (!fields.get(i).append(record, times, out)) {
                out.put('-');
            }
        }
        out.append(texts.get(fields.size()));
    }

    @Override
    public void write(LogRecord record, LineBuffer out) {
        for (int i = 0; i < fields.size(); i++) {
            out.append(texts.get(i));
            value.clear();
            if (fields.get(i).append(record, times, value)) {
                out.line(value.array(), 0, value.length());
            } else {
                out.put('-');
            }
        }
        out.append(texts.get(fields.size()));
        out.put('\n');
    }
}
