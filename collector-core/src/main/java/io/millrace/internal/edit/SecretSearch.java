package io.millrace.internal.edit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The search for {@link RedactionPreset#SECRETS}: finds what its regular expression finds, with the same groups, in a hundredth of the
 * time. The expression is a list of alternatives that begin with different texts, so a look at each byte tells which one can match
 * there, and each is then read from left to right. A test compares both. One thread.
 */
final class SecretSearch implements Search {
    private static final int GROUPS = 11;
    private static final int CASE_BIT = 0x20;
    private static final byte[] AUTHORIZATION = ascii("authorization");
    private static final byte[] SCHEME_END = ascii("://");

    /** Keys, by the first letter of each. */
    private static final Key[][] KEYS = new Key[128][];

    static {
        keys(
                new Key("pass", List.of("word", "wd", "phrase", "code", ""), false),
                new Key("pwd", List.of(""), false),
                new Key("psk", List.of(""), false),
                new Key("private", List.of("key"), true));
        keys(new Key("jwt", List.of(""), false));
        keys(new Key("secret", List.of(""), false));
        keys(new Key("token", List.of(""), false));
        keys(new Key("credential", List.of("s", ""), false));
        keys(new Key("api", List.of("key"), true), new Key("access", List.of("key"), true));
    }

    private static void keys(Key... keys) {
        KEYS[keys[0].word[0]] = keys;
    }

    private final byte[] text;
    private final int[] begins = new int[GROUPS];
    private final int[] ends = new int[GROUPS];
    private int next;

    /** A key: a word, and one of several ends, the longest first; before that may be a dash or an underscore. */
    @SuppressWarnings("ArrayRecordComponent") // Never changed after its creation.
    private record Key(byte[] word, List<byte[]> rest, boolean mayBeSplit) {
        Key(String word, List<String> rest, boolean mayBeSplit) {
            this(ascii(word), rest.stream().map(SecretSearch::ascii).toList(), mayBeSplit);
        }
    }

    SecretSearch(byte[] text) {
        this.text = text;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public int start(int group) {
        return begins[group];
    }

    @Override
    public int end(int group) {
        return ends[group];
    }

    @Override
    public boolean find() {
        for (int at = next; at < text.length; at++) {
            if (matchesAt(at)) {
                next = ends[0];
                return true;
            }
        }
        next = text.length;
        return false;
    }

    private boolean matchesAt(int at) {
        return switch (text[at] | CASE_BIT) {
            case 'p', 'j', 's', 't', 'c' -> secret(at);
            case 'a' -> secret(at) || authorization(at);
            case ':' -> url(at);
            default -> false;
        };
    }

    /** True if a match may begin there: a test that does not look at what follows the key. */
    static boolean mayBeginAt(byte[] text, int at, int end) {
        return switch (text[at] | CASE_BIT) {
            case 'p', 'j', 's', 't', 'c' -> key(text, at, end) >= 0;
            case 'a' -> key(text, at, end) >= 0 || isAt(text, at, end, AUTHORIZATION);
            case ':' -> isAt(text, at, end, SCHEME_END);
            default -> false;
        };
    }

    private void begin(int at) {
        Arrays.fill(begins, -1);
        Arrays.fill(ends, -1);
        begins[0] = at;
    }

    private void group(int number, int begin, int end) {
        begins[number] = begin;
        ends[number] = end;
    }

    /** {@code key=value}, {@code "key": "value"} and the like. */
    private boolean secret(int at) {
        int key = key(text, at, text.length);
        if (key < 0) {
            return false;
        }
        int quote = skipBackslashes(key);
        boolean quoted = isOne(quote, "\"'");
        int sign = skipBlanks(quoted ? quote + 1 : quote);
        if (!isOne(sign, "=:")) {
            return false;
        }
        int value = skipBlanks(sign + 1);
        begin(at);
        return escapedValue(at, value)
                || quotedValue(at, value)
                || (quoted && text[quote] == '"' && text[sign] == ':' && word(at, key, quote + 1, value))
                || plainValue(at, value);
    }

    /** A value in quotes that have backslashes, as JSON within JSON has. */
    private boolean escapedValue(int at, int value) {
        int quote = skipBackslashes(value);
        if (quote == value || !isOne(quote, "\"'")) {
            return false;
        }
        int end = quote + 1;
        while (end < text.length && text[end] != '"' && text[end] != '\'' && text[end] != '\\') {
            end++;
        }
        return end > quote + 1 && matched(1, at, value, 2, value, quote + 1, end);
    }

    private boolean quotedValue(int at, int value) {
        if (!isOne(value, "\"'")) {
            return false;
        }
        int end = value + 1;
        while (end < text.length && text[end] != text[value]) {
            if (text[end] != '\\') {
                end++;
            } else if (end + 1 < text.length && text[end + 1] != '\n') {
                // A character that takes several bytes: its other bytes are none of those that end the value.
                end += 2;
            } else {
                break;
            }
        }
        return end > value + 1 && matched(1, at, value, text[value] == '"' ? 3 : 4, value, value + 1, end);
    }

    /** A number or word of JSON. */
    private boolean word(int at, int key, int quoteEnd, int value) {
        int end = value;
        while (end < text.length && !isBlank(text[end]) && "\"',;&[]{}\\".indexOf(text[end]) < 0) {
            end++;
        }
        return end > value && matched(5, at, value, 6, key, quoteEnd, end);
    }

    private boolean plainValue(int at, int value) {
        if (value == text.length || isBlank(text[value]) || isOne(value, "\"',;&[]{}\\")) {
            return false;
        }
        int end = value + 1;
        while (end < text.length && !isBlank(text[end]) && "\"',;&}".indexOf(text[end]) < 0) {
            end++;
        }
        group(7, at, value);
        ends[0] = end;
        return true;
    }

    private boolean matched(int prefix, int at, int value, int mark, int markBegin, int markEnd, int end) {
        group(prefix, at, value);
        group(mark, markBegin, markEnd);
        ends[0] = end;
        return true;
    }

    /** {@code Authorization: Bearer x}: all of the line. */
    private boolean authorization(int at) {
        if (!isAt(text, at, text.length, AUTHORIZATION)) {
            return false;
        }
        int quote = skipBackslashes(at + AUTHORIZATION.length);
        int sign = skipBlanks(isOne(quote, "\"'") ? quote + 1 : quote);
        if (!isOne(sign, "=:")) {
            return false;
        }
        int blanksEnd = skipBlanks(sign + 1);
        int value = skipBackslashes(blanksEnd);
        value = isOne(value, "\"'") ? value + 1 : value;
        int end = lineEnd(value);
        for (int i = blanksEnd - 1; i > sign && end == value; i--) {
            // Nothing follows the blanks: then they are the value.
            value = i;
            end = lineEnd(value);
        }
        if (end == value) {
            return false;
        }
        begin(at);
        group(8, at, value);
        ends[0] = end;
        return true;
    }

    private int lineEnd(int from) {
        int end = from;
        while (end < text.length && "\"'\\\r\n".indexOf(text[end]) < 0) {
            end++;
        }
        return end;
    }

    /** {@code ://user:password@}. */
    private boolean url(int at) {
        if (!isAt(text, at, text.length, SCHEME_END)) {
            return false;
        }
        int user = at + SCHEME_END.length;
        int colon = user;
        while (colon < text.length && !isBlank(text[colon]) && ":/@".indexOf(text[colon]) < 0) {
            colon++;
        }
        int end = colon + 1;
        while (end < text.length && !isBlank(text[end]) && "/@".indexOf(text[end]) < 0) {
            end++;
        }
        if (colon == user || !isOne(colon, ":") || end == colon + 1 || !isOne(end, "@")) {
            return false;
        }
        begin(at);
        group(9, at, colon + 1);
        group(10, end, end + 1);
        ends[0] = end + 1;
        return true;
    }

    /** The end of the key that begins there; -1 if there is none. The byte there is one of those in {@link #matchesAt}. */
    private static int key(byte[] text, int at, int textEnd) {
        for (Key key : KEYS[text[at] | CASE_BIT]) {
            if (isAt(text, at, textEnd, key.word)) {
                int end = at + key.word.length;
                boolean split = key.mayBeSplit && end < textEnd && (text[end] == '_' || text[end] == '-');
                int rest = split ? end + 1 : end;
                for (byte[] more : key.rest) {
                    if (isAt(text, rest, textEnd, more)) {
                        return rest + more.length;
                    }
                }
            }
        }
        return -1;
    }

    private static boolean isAt(byte[] text, int at, int end, byte[] lowerCase) {
        if (end - at < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            byte b = text[at + i];
            if ((b >= 'A' && b <= 'Z' ? b | CASE_BIT : b) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }

    private boolean isOne(int at, String of) {
        return at < text.length && of.indexOf(text[at]) >= 0;
    }

    private int skipBackslashes(int from) {
        int at = from;
        while (at < text.length && text[at] == '\\') {
            at++;
        }
        return at;
    }

    private int skipBlanks(int from) {
        int at = from;
        while (at < text.length && isBlank(text[at])) {
            at++;
        }
        return at;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\n' || b == '\f' || b == '\r';
    }
}
