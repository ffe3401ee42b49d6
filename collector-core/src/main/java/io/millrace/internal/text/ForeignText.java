package io.millrace.internal.text;

/**
 * Texts with words of other hosts, such as the answer of a destination or the name in a certificate, for logs, pages and
 * alerts: in one line that neither a terminal interprets nor a reader takes for another line.
 */
public final class ForeignText {
    /** How many characters of one text are shown. */
    public static final int MAX_CHARS = 500;

    private ForeignText() {}

    /** The text in one line, as {@link #escaped}, and shortened to {@value #MAX_CHARS} characters. */
    public static String shown(String text) {
        return shown(text, MAX_CHARS);
    }

    /** The text in one line, and shortened to so many characters. */
    public static String shown(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return escaped(text);
        }
        // A character of two chars is not divided.
        int end = Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
        return escaped(text.substring(0, end)) + "… (" + (text.length() - end) + " more characters)";
    }

    /** The text in one line: control characters, and others that a terminal interprets, are escaped. */
    public static String escaped(String text) {
        int i = 0;
        while (i < text.length() && !isObeyed(text.charAt(i))) {
            i++;
        }
        if (i == text.length()) {
            return text;
        }
        StringBuilder line = new StringBuilder(text.length() + 16).append(text, 0, i);
        for (; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line.append("\\n");
            } else if (isObeyed(c)) {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }

    /**
     * True for a character that a terminal interprets: a control character, a line separator, or a change of the text
     * direction.
     */
    public static boolean isObeyed(int character) {
        return Character.isISOControl(character)
                || character == 0x061c
                || character == 0x200e
                || character == 0x200f
                || (character >= 0x2028 && character <= 0x202e)
                || (character >= 0x2066 && character <= 0x2069);
    }
}
