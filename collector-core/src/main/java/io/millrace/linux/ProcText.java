package io.millrace.linux;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of the words, fields and lists that the files of {@code /proc} and {@code /sys} share. */
public final class ProcText {
    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

    private ProcText() {}

    /** The first word as a decimal number; null if it is not one. */
    public static @Nullable Long number(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String word = SPACES.split(text.strip(), 2)[0];
        return NUMBER.matcher(word).matches() ? Long.valueOf(word) : null;
    }

    /** The words of a line. */
    public static String[] words(String line) {
        return SPACES.split(line.strip(), -1);
    }

    /** The text with each run of white space replaced by one space. */
    public static String oneLine(String text) {
        return SPACES.matcher(text.strip()).replaceAll(" ");
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
