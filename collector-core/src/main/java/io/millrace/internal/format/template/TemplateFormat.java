package io.millrace.internal.format.template;

import io.millrace.internal.format.JournalRecord;
import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;

/**
 * Formatter by a template such as <code>{timestamp} {hostname|unknown} {appname}: {message}</code>. An absent field is a
 * dash, or the default after {@code |}; two braces are one. <code>{#procid}[{procid}]{/procid}</code> is written only
 * with the field, and with {@code ^} only without it. {@code :json} and {@code :csv} write a value of that language;
 * times have formats of their own. Otherwise control characters in values become {@code #} and three octal digits, so
 * the result stays one line. One thread.
 */
public final class TemplateFormat implements LineFormat {
    /** A part of the template. */
    @FunctionalInterface
    interface Step {
        /** Appends it; returns false at a section that is not written. */
        boolean write(JournalRecord record, LineBuffer out);
    }

    private final Step[] steps;
    /** The step after a section that is not written, by the index of the step that begins it. */
    private final int[] jumps;

    private final boolean constant;
    private final boolean ofBytes;

    /**
     * Creates a template.
     *
     * @param constant true if it has no fields
     * @param ofBytes true if it has the field {@code raw}
     */
    TemplateFormat(Step[] steps, int[] jumps, boolean constant, boolean ofBytes) {
        this.steps = steps;
        this.jumps = jumps;
        this.constant = constant;
        this.ofBytes = ofBytes;
    }

    /**
     * Parses a template.
     *
     * @throws IllegalArgumentException if a brace or a section is not closed, or a field or its format is unknown; the
     *     message has the column
     */
    public static TemplateFormat of(String template) {
        return new TemplateParser(template, false).parse();
    }

    /** Parses a template for {@link #append}: values are written as they are, so that the result may have several lines. */
    public static TemplateFormat ofText(String template) {
        return new TemplateParser(template, true).parse();
    }

    /**
     * Parses one field of a template, without its braces.
     *
     * @throws IllegalArgumentException if it is not one field; the message begins with {@code column 1 of the template: }
     */
    public static TemplateFormat ofField(String field) {
        return new TemplateParser("{" + field + "}", false).parseField();
    }

    @Override
    public boolean writesBytes() {
        return ofBytes;
    }

    /** True if the result is the same for each record. */
    public boolean isConstant() {
        return constant;
    }

    @Override
    public void write(LogRecord record, LineBuffer out) {
        append(record, out);
        out.put('\n');
    }

    /** Appends the result without a line feed. */
    public void append(LogRecord any, LineBuffer out) {
        JournalRecord record = (JournalRecord) any;
        int i = 0;
        while (i < steps.length) {
            i = steps[i].write(record, out) ? i + 1 : jumps[i];
        }
    }
}
