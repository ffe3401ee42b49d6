package io.millrace.internal.edit;

import com.google.re2j.Pattern;
import io.millrace.message.Edit;

enum PresetSearch {
    /** Numbers of payment cards: 13 to 19 digits, also with blanks or dashes between, whose check digit is right (Luhn). */
    CARD_NUMBERS("\\d(?:[ -]?\\d){12,}", Redaction.WITH) {
        @Override
        boolean mayMatch(byte[] bytes, int begin, int end) {
            int digits = 0;
            boolean separated = false;
            for (int i = begin; i < end && digits < CardNumbers.MIN_DIGITS; i++) {
                if (CardNumbers.isDigit(bytes[i])) {
                    digits++;
                    separated = false;
                } else if ((bytes[i] == ' ' || bytes[i] == '-') && !separated) {
                    separated = true;
                } else {
                    digits = 0;
                    separated = false;
                }
            }
            return digits >= CardNumbers.MIN_DIGITS;
        }

        @Override
        Narrowing narrowing() {
            return new CardNumbers();
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
    /**
     * Values of passwords, tokens and keys, as in {@code password=x}, {@code "api_key": "x y"}, {@code Authorization: Bearer x} and {@code
     * https://user:x@host}. A value in quotes ends at the quote, also in JSON within JSON; one without quotes where a key=value pair
     * usually ends; that of an authorization with the line.
     */
    SECRETS(
            // Values in quotes: escaped, double, single ones.
            "(?i)(" + PresetSearch.KEYS + "\\\\*[\"']?\\s*[=:]\\s*)"
                    + "(?:(\\\\+[\"'])[^\"'\\\\]+|(\")(?:[^\"\\\\]|\\\\.)+|(')(?:[^'\\\\]|\\\\.)+)"
                    // JSON's numbers and words, whose replacement gets quotes.
                    + "|(" + PresetSearch.KEYS + "(\\\\*\")\\s*:\\s*)[^\\s\"',;&\\[\\]{}\\\\]+"
                    + "|(" + PresetSearch.KEYS + "\\\\*[\"']?\\s*[=:]\\s*)[^\\s\"',;&\\[\\]{}\\\\][^\\s\"',;&}]*"
                    + "|(authorization\\\\*[\"']?\\s*[=:]\\s*\\\\*[\"']?)[^\"'\\\\\\r\\n]+"
                    + "|(://[^\\s:/@]+:)[^\\s/@]+(@)",
            "$1$2$3$4$5$6$7$8$9" + Redaction.WITH + "$6$10") {
        @Override
        boolean mayMatch(byte[] bytes, int begin, int end) {
            for (int i = begin; i < end; i++) {
                if (SecretSearch.mayBeginAt(bytes, i, end)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        Search search(byte[] text) {
            return new SecretSearch(text);
        }
    };

    private static final String KEYS =
            "(?:pass(?:word|wd|phrase|code)?|pwd|psk|jwt|secret|token|credentials?|(?:api|access|private)[_-]?key)";

    private final Pattern pattern;
    private final String with;

    PresetSearch(String expression, String with) {
        this.pattern = Pattern.compile(expression);
        this.with = with;
    }

    static PresetSearch of(Edit.Preset preset) {
        return valueOf(preset.name());
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

    /** A search for the matches of the pattern. */
    Search search(byte[] text) {
        return Search.of(pattern.matcher(text));
    }

    /** Which part of a match is redacted. */
    Narrowing narrowing() {
        return Narrowing.NONE;
    }
}
