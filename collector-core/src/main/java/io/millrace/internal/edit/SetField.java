package io.millrace.internal.edit;

import io.millrace.internal.format.Field;
import io.millrace.internal.format.template.TemplateFormat;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.message.Facility;
import io.millrace.message.LineBuffer;
import io.millrace.message.RecordField;
import io.millrace.message.Severity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Sets a field of the header or a value in the body, which may be a new one. Immutable: threads can share it. */
public final class SetField extends FieldEdit {
    private static final int MAX_TEMPLATE = 1024;
    private static final List<RecordField> PARTS = List.of(
            RecordField.HOSTNAME,
            RecordField.APPNAME,
            RecordField.PROCID,
            RecordField.MSGID,
            RecordField.SEVERITY,
            RecordField.FACILITY,
            RecordField.MESSAGE);

    private final Field field;
    private final String template;

    private SetField(Field field, String template) {
        this.field = field;
        this.template = template;
    }

    /**
     * Creates the edit.
     *
     * @param field its name: of the header, or {@code fields.NAME}
     * @param template the value, with fields in braces; an absent one is a dash
     * @throws IllegalArgumentException if one of them is invalid; the message names it
     */
    public static SetField of(String field, String template) {
        Field target = field(field, PARTS, "fields.NAME");
        if (template.length() > MAX_TEMPLATE) {
            throw new IllegalArgumentException(
                    "to accepts up to " + MAX_TEMPLATE + " characters, not " + template.length());
        }
        TemplateFormat parsed = TemplateFormat.ofText(template);
        if (parsed.writesBytes()) {
            throw new IllegalArgumentException(
                    "to cannot have {raw}: it still has what other edits have removed; {message} is the text");
        }
        SetField edit = new SetField(target, template);
        if (parsed.isConstant()) {
            edit.checkConstant(template.replace("{{", "{").replace("}}", "}"));
        }
        return edit;
    }

    private void checkConstant(String text) {
        try {
            if (field.header() == RecordField.SEVERITY) {
                severity(text);
            } else if (field.header() == RecordField.FACILITY) {
                facility(text);
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + ", not '" + text + "'", e);
        }
    }

    String template() {
        return template;
    }

    @Override
    byte[] newName() {
        return path(field);
    }

    @Override
    void apply(Draft draft) {
        LineBuffer value = draft.value(this);
        if (field.header() == RecordField.SEVERITY) {
            draft.change(this, severity(text(value)).code());
        } else if (field.header() == RecordField.FACILITY) {
            draft.change(this, facility(text(value)).code());
        } else {
            draft.change(this, value);
        }
    }

    @Override
    void apply(ParsedMessage message, int name, Draft.Change change) {
        RecordField header = field.header();
        if (header == RecordField.SEVERITY) {
            message.replace(Severity.of(change.code()));
        } else if (header == RecordField.FACILITY) {
            message.replace(Facility.of(change.code()));
        } else if (header != null) {
            message.replace(Objects.requireNonNull(header.messageField()), change.begin(), change.end());
        } else if (!message.fields().put(path(field), name, change.begin(), change.end())) {
            throw new IllegalArgumentException("it has no room for another field");
        }
    }

    private static String text(LineBuffer value) {
        return new String(value.array(), 0, value.length(), StandardCharsets.UTF_8);
    }

    private static Severity severity(String text) {
        Severity severity = text.matches("[0-7]") ? Severity.of(Integer.parseInt(text)) : Severity.of(lower(text));
        return found(severity, "severity", "emerg, alert, crit, err, warning, notice, info, debug or 0 to 7");
    }

    private static Facility facility(String text) {
        boolean number = text.matches("\\d|1\\d|2[0-3]");
        Facility facility = number ? Facility.of(Integer.parseInt(text)) : Facility.of(lower(text));
        return found(facility, "facility", "a keyword such as auth, daemon or local0, or 0 to 23");
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /** The message does not have the value, which may be what nobody must see. */
    private static <T> T found(@Nullable T value, String field, String takes) {
        if (value == null) {
            throw new IllegalArgumentException("to: " + field + " accepts " + takes);
        }
        return value;
    }
}
