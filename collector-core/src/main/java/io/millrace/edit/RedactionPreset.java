package io.millrace.edit;

import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Kinds of text that are often redacted. */
public enum RedactionPreset {
    /** Numbers of payment cards: 13 to 19 digits, also with blanks or dashes between, whose check digit is right (Luhn). */
    CARD_NUMBERS("\\b\\d(?:[ -]?\\d){12,18}\\b", Redaction.WITH) {
        @Override
        boolean mayMatch(byte[] bytes, int begin, int end) {
            int digits = 0;
            for (int i = begin; i < end; i++) {
                digits += isDigit(bytes[i]) ? 1 : 0;
            }
            return digits >= MIN_CARD_DIGITS;
        }

        @Override
        boolean accepts(byte[] bytes, int begin, int end) {
            int sum = 0;
            boolean twice = false;
            for (int i = end - 1; i >= begin; i--) {
                if (isDigit(bytes[i])) {
                    int value = (bytes[i] - '0') * (twice ? 2 : 1);
                    sum += value > 9 ? value - 9 : value;
                    twice = !twice;
                }
            }
            return sum % 10 == 0;
        }
    },
    /** E-mail addresses. */
    EMAIL_ADDRESSES("[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+", Redaction.WITH) {
        @Override
        boolean mayMatch(byte[] bytes, int begin, int end) {
            for (int i = begin; i < end; i++) {
                if (bytes[i] == '@') {
                    return true;
                }
            }
            return false;
        }
    },
    /** Values of passwords, tokens and keys, as in {@code password=x}, {@code "api_key": "x"} and {@code Authorization: Bearer x}. */
    SECRETS(
            "(?i)((?:pass(?:word|wd|phrase)?|pwd|secret|token|(?:api|access|private)[_-]?key)[\"']?\\s*[=:]\\s*[\"']?"
                    + "|authorization[\"']?\\s*[=:]\\s*[\"']?(?:(?:basic|bearer|digest|token)\\s+)?)[^\\s\"',;&}]+",
            "$1" + Redaction.WITH) {
        @Override
        boolean mayMatch(byte[] bytes, int begin, int end) {
            for (int i = begin; i < end; i++) {
                for (byte[] word : SECRET_WORDS) {
                    if ((bytes[i] | CASE_BIT) == word[0] && isAt(bytes, i, end, word)) {
                        return true;
                    }
                }
            }
            return false;
        }
    };

    private static final int MIN_CARD_DIGITS = 13;
    /** The difference between upper and lower case in ASCII. */
    private static final int CASE_BIT = 0x20;

    private static final List<byte[]> SECRET_WORDS =
            List.of("pass", "pwd", "secret", "token", "key", "authorization").stream()
                    .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                    .toList();

    private final Pattern pattern;
    private final String with;

    RedactionPreset(String expression, String with) {
        this.pattern = Pattern.compile(expression);
        this.with = with;
    }

    Pattern pattern() {
        return pattern;
    }

    /** What stands instead of a match if nothing else is said. */
    String with() {
        return with;
    }

    /** False if the pattern matches nowhere in a text; a test that takes less time than the pattern. */
    abstract boolean mayMatch(byte[] bytes, int begin, int end);

    /** True if a match of the pattern is what it looks like. */
    boolean accepts(byte[] bytes, int begin, int end) {
        return true;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isAt(byte[] bytes, int at, int end, byte[] lowerCase) {
        if (end - at < lowerCase.length) {
            return false;
        }
        for (int i = 0; i < lowerCase.length; i++) {
            if ((bytes[at + i] | CASE_BIT) != lowerCase[i]) {
                return false;
            }
        }
        return true;
    }
}
