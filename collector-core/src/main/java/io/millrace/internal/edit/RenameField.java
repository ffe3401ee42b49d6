package io.millrace.internal.edit;

import io.millrace.internal.format.Field;
import io.millrace.internal.parse.ParsedMessage;
import java.util.List;

/**
 * Renames a value in the body or in the structured data. It replaces another one that has this name. A value in the body keeps its name in the
 * text of the message. Immutable: threads can share it.
 */
public final class RenameField extends FieldEdit {
    private static final int MAX_NAME = 256;

    private final Field field;
    private final Field to;

    private RenameField(Field field, Field to) {
        this.field = field;
        this.to = to;
    }

    /**
     * Creates the edit.
     *
     * @param field {@code fields.NAME} or {@code sd.ID.NAME}
     * @param to another name of the same form, and with the same id
     * @throws IllegalArgumentException if one of them is invalid; the message names it
     */
    public static RenameField of(String field, String to) {
        Field from = field(field, List.of(), "fields.NAME or sd.ID.NAME");
        String begin = from.isStructured() ? element(field) : "fields.";
        boolean simple = !from.isStructured()
                || to.substring(Math.min(begin.length(), to.length())).matches(Parameters.NAME);
        if (!to.startsWith(begin) || to.length() == begin.length() || to.length() > MAX_NAME || !simple) {
            throw new IllegalArgumentException("to accepts " + begin + "NAME for " + field + ", not " + to);
        }
        if (to.equals(field) || to.startsWith(field + '.') || field.startsWith(to + '.')) {
            throw new IllegalArgumentException(
                    "to accepts a name that is not in " + field + " and does not contain it, not " + to);
        }
        return new RenameField(from, field(to, List.of(), "fields.NAME or sd.ID.NAME"));
    }

    /** The beginning of the name of a parameter: the id of its element, which may have dots, as its name may. */
    private static String element(String field) {
        int dot = field.lastIndexOf('.');
        if (dot <= "sd.".length()) {
            throw new IllegalArgumentException("field accepts sd.ID.NAME, not " + field);
        }
        return field.substring(0, dot + 1);
    }

    @Override
    byte[] newName() {
        return path(to);
    }

    @Override
    void apply(Draft draft) {
        if (field.isStructured()) {
            new Parameters(path(field)).rename(draft, path(to));
        } else if (draft.record().message().fields().find(path(field)) >= 0) {
            draft.change(this);
        }
    }

    @Override
    void apply(ParsedMessage message, int name, Draft.Change change) {
        message.fields().rename(path(field), path(to), name);
    }
}
