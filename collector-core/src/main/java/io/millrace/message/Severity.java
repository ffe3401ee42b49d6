package io.millrace.message;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The severity of a message: RFC 5424 section 6.2.1, with the usual keywords. A smaller code is more severe. */
public enum Severity {
    EMERG,
    ALERT,
    CRIT,
    ERR,
    WARNING,
    NOTICE,
    INFO,
    DEBUG;

    private static final Severity[] ALL = values();

    private final String keyword = name().toLowerCase(Locale.ROOT);

    /** The severity with a code from 0 to 7. */
    public static Severity of(int number) {
        return ALL[number];
    }

    /** The severity with a keyword, or a deprecated one: {@code panic}, {@code error}, {@code warn}; null if there is none. */
    public static @Nullable Severity of(String keyword) {
        for (Severity severity : ALL) {
            if (severity.keyword.equals(keyword)) {
                return severity;
            }
        }
        return switch (keyword) {
            case "panic" -> EMERG;
            case "error" -> ERR;
            case "warn" -> WARNING;
            default -> null;
        };
    }

    /** The code, from 0 to 7. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /** The keyword, such as {@code err}. */
    public String keyword() {
        return keyword;
    }
}
