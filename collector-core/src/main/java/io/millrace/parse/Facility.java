package io.millrace.parse;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which part of a system speaks: RFC 5424 section 6.2.1, with the keywords of syslog.conf and of RFC 5427. */
public enum Facility {
    KERN,
    USER,
    MAIL,
    DAEMON,
    AUTH,
    SYSLOG,
    LPR,
    NEWS,
    UUCP,
    CRON,
    AUTHPRIV,
    FTP,
    NTP,
    AUDIT,
    CONSOLE,
    CRON2,
    LOCAL0,
    LOCAL1,
    LOCAL2,
    LOCAL3,
    LOCAL4,
    LOCAL5,
    LOCAL6,
    LOCAL7;

    private static final Facility[] ALL = values();

    private final String keyword = name().toLowerCase(Locale.ROOT);

    /** By its number, 0 to 23. */
    public static Facility of(int number) {
        return ALL[number];
    }

    /** By its keyword, or {@code security} for {@code auth}; null if it is none. */
    public static @Nullable Facility of(String keyword) {
        for (Facility facility : ALL) {
            if (facility.keyword.equals(keyword)) {
                return facility;
            }
        }
        return keyword.equals("security") ? AUTH : null;
    }

    /** Its number, which is its place here. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /** As in configurations: {@code authpriv}. */
    public String keyword() {
        return keyword;
    }
}
