package io.millrace.output.internal.http.splunk;

import io.millrace.internal.format.JsonFormat;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;
import io.millrace.output.internal.name.ForeignNames;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that describes an event, such as its host: a text with fields in braces. A single field that a message does not have is left out, and so is
 * an empty value: then Splunk uses what the token says. One thread.
 */
public final class HecMetadata {
    /** Splunk documents no limit. A host name of the DNS has as many at most. A truncated character becomes U+FFFD. */
    private static final int MAX_BYTES = 255;

    private final String text;
    private final TemplateFormat template;
    private final @Nullable RecordField only;

    private HecMetadata(String text, TemplateFormat template, @Nullable RecordField only) {
        this.text = text;
        this.template = template;
        this.only = only;
    }

    /**
     * Parses a text with fields in braces.
     *
     * @return null if it is blank
     * @throws IllegalArgumentException if a brace is not closed, or a field is unknown
     */
    public static @Nullable HecMetadata parse(String text) {
        if (text.isBlank()) {
            return null;
        }
        boolean braces = text.startsWith("{") && text.endsWith("}");
        return new HecMetadata(
                text, TemplateFormat.of(text), braces ? RecordField.of(text.substring(1, text.length() - 1)) : null);
    }

    /** True if it has no fields. */
    public boolean isConstant() {
        return template.isConstant();
    }

    /** The value of one without fields. */
    String constant() {
        return text.replace("{{", "{").replace("}}", "}");
    }

    /** Likely mistakes in a valid text. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        String foreign = ForeignNames.warning(text);
        if (foreign != null) {
            warnings.add(foreign);
        }
        return warnings;
    }

    /** Writes the value for a record in place of what is in a buffer; false if it has none. */
    boolean write(LogRecord record, LineBuffer to) {
        to.clear();
        if (only != null && !only.isIn(record)) {
            return false;
        }
        template.append(record, to);
        to.end(Math.min(to.length(), MAX_BYTES));
        return to.length() > 0;
    }

    /** Appends a value as a JSON string. */
    static void json(LineBuffer value, LineBuffer out) {
        JsonFormat.string(value.array(), 0, value.length(), out);
    }

    @Override
    public String toString() {
        return text;
    }
}
