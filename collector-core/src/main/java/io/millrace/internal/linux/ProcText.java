package io.millrace.internal.linux;

import java.util.StringTokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Parser of the words, fields and lists that the files of {@code /proc} and {@code /sys} share. What a service reads
 * every 10 s is parsed without regular expressions, because the JVM would compile their engine for it.
 */
public final class ProcText {
    /** A longer word is no number here: the kernel writes 9223372036854771712 and the like for "no limit". */
    private static final int MAX_LENGTH = 18;

    private ProcText() {}

    /** The first word as a decimal number; null if it is not one, or has more than 18 characters. */
    public static @Nullable Long number(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String word = words(text)[0];
        try {
            return word.length() > MAX_LENGTH ? null : Long.valueOf(word);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** The words of a line; of a blank line, one that is empty. */
    public static String[] words(String line) {
        StringTokenizer tokens = new StringTokenizer(line);
        String[] words = new String[Math.max(1, tokens.countTokens())];
        words[0] = "";
        for (int i = 0; tokens.hasMoreTokens(); i++) {
            words[i] = tokens.nextToken();
        }
        return words;
    }

    /** The text with each run of white space replaced by one space. */
    public static String oneLine(String text) {
        return String.join(" ", words(text));
    }

    /** The value of a field in lines such as {@code VmRSS: 1024 kB}; null if there is no such line. */
    public static @Nullable String field(String text, String name) {
        return text.lines()
                .map(String::strip)
                .filter(line -> isField(line, name))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(null);
    }

    private static boolean isField(String line, String name) {
        return line.startsWith(name)
                && line.length() > name.length()
                && (line.charAt(name.length()) == ':' || Character.isWhitespace(line.charAt(name.length())));
    }

    /** The number of entries of a list such as {@code 0-3,8}; 0 if the text is not a list. */
    public static int countOfList(@Nullable String list) {
        int count = 0;
        if (list != null && list.strip().matches("\\d{1,5}(-\\d{1,5})?(,\\d{1,5}(-\\d{1,5})?)*")) {
            for (String range : list.strip().split(",", -1)) {
                String[] ends = range.split("-", -1);
                count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
            }
        }
        return count;
    }
}
