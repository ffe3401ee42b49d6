package io.millrace.message;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The facility of a message: RFC 5424 section 6.2.1, with the keywords of syslog.conf and RFC 5427. */
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

    /** The facility with a code from 0 to 23. */
    public static Facility of(int number) {
        return ALL[number];
    }

    /** The facility with a keyword, or {@code security} for {@code auth}; null if there is none. */
    public static @Nullable Facility of(String keyword) {
        for (Facility facility : ALL) {
            if (facility.keyword.equals(keyword)) {
                return facility;
            }
        }
        return keyword.equals("security") ? AUTH : null;
    }

    /** The code, from 0 to 23. */
    @SuppressWarnings("EnumOrdinal")
    public int code() {
        return ordinal();
    }

    /** The keyword, such as {@code authpriv}. */
    public String keyword() {
        return keyword;
    }
}
