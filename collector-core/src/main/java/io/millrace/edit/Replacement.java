package io.millrace.edit;

import com.google.re2j.Matcher;
import io.millrace.format.LineBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The text that stands instead of a match, with groups of the match in it. Immutable. */
final class Replacement {
    private static final int MAX_LENGTH = 256;
    private static final int NO_GROUP = -1;

    private final List<Part> parts;

    /** Text, then a group. */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after its creation.
    private record Part(byte[] text, int group) {}

    private Replacement(List<Part> parts) {
        this.parts = parts;
    }

    /**
     * Parses a text.
     *
     * @param groups the number of groups of the expression
     * @throws IllegalArgumentException if it is too long, or names a group that the expression does not have
     */
    static Replacement of(String text, int groups) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("with takes up to " + MAX_LENGTH + " characters, not " + text.length());
        }
        List<Part> parts = new ArrayList<>();
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            if (c != '$') {
                plain.append(c);
            } else if (next == '$') {
                plain.append(c);
                i++;
            } else {
                int group = next >= '0' && next <= '9' ? next - '0' : NO_GROUP;
                if (group == NO_GROUP || group > groups) {
                    throw new IllegalArgumentException("with takes $0 to $" + groups
                            + " for the groups of the pattern, and $$ for a dollar sign, not '" + text + "'");
                }
                parts.add(new Part(plain.toString().getBytes(StandardCharsets.UTF_8), group));
                plain.setLength(0);
                i++;
            }
        }
        parts.add(new Part(plain.toString().getBytes(StandardCharsets.UTF_8), NO_GROUP));
        return new Replacement(List.copyOf(parts));
    }

    void append(Matcher match, byte[] text, LineBuffer out) {
        for (Part part : parts) {
            out.append(part.text, 0, part.text.length);
            if (part.group != NO_GROUP && match.start(part.group) >= 0) {
                out.append(text, match.start(part.group), match.end(part.group));
            }
        }
    }
}
