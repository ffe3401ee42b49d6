package io.millrace.parse;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How bad it is: RFC 5424 section 6.2.1, with the keywords syslog users know. A smaller number is worse. */
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

    /** By its number, 0 to 7. */
    public static Severity of(int number) {
        return ALL[number];
    }

    /** By its keyword, or one of the old ones: {@code panic}, {@code error}, {@code warn}; null if it is none. */
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

    /** Its number, which is its place here. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /** As in configurations: {@code err}. */
    public String keyword() {
        return keyword;
    }
}
