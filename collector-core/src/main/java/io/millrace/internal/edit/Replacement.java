package io.millrace.internal.edit;

import io.millrace.message.LineBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The text that stands instead of a match, with groups of the match in it. Immutable. */
final class Replacement {
    private static final int MAX_LENGTH = 256;
    private static final int NO_GROUP = -1;
    private static final int MAX_DIGIT = 9;

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
            throw new IllegalArgumentException(
                    "with accepts up to " + MAX_LENGTH + " characters, not " + text.length());
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
                int group = group(text, i + 1, groups);
                if (group == NO_GROUP) {
                    throw new IllegalArgumentException("with accepts $0 to $" + groups
                            + " for the groups of the pattern, and $$ for a dollar sign, not '" + text + "'");
                }
                parts.add(new Part(plain.toString().getBytes(StandardCharsets.UTF_8), group));
                plain.setLength(0);
                i += group > MAX_DIGIT ? 2 : 1;
            }
        }
        parts.add(new Part(plain.toString().getBytes(StandardCharsets.UTF_8), NO_GROUP));
        return new Replacement(List.copyOf(parts));
    }

    /** The number that begins here, with two digits if there are so many groups. */
    private static int group(String text, int at, int groups) {
        for (int digits = 2; digits > 0; digits--) {
            String number = text.substring(Math.min(at, text.length()), Math.min(at + digits, text.length()));
            boolean isNumber = number.length() == digits && number.chars().allMatch(c -> c >= '0' && c <= '9');
            if (isNumber && Integer.parseInt(number) <= groups && (digits == 1 || number.charAt(0) != '0')) {
                return Integer.parseInt(number);
            }
        }
        return NO_GROUP;
    }

    /**
     * Appends the text.
     *
     * @param bytes the message
     * @param offset where the text of the match begins in it
     */
    void append(Search match, byte[] bytes, int offset, LineBuffer out) {
        for (Part part : parts) {
            out.append(part.text, 0, part.text.length);
            if (part.group != NO_GROUP && match.start(part.group) >= 0) {
                out.append(bytes, offset + match.start(part.group), offset + match.end(part.group));
            }
        }
    }
}
