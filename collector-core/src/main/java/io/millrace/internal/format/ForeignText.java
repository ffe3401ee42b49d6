package io.millrace.internal.format;

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
        while (i < text.length() && !TerminalFormat.isObeyed(text.charAt(i))) {
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
            } else if (TerminalFormat.isObeyed(c)) {
                line.append(String.format("\\u%04x", (int) c));
            } else {
                line.append(c);
            }
        }
        return line.toString();
    }
}
