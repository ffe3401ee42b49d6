package io.millrace.internal.parse;

import java.nio.charset.StandardCharsets;

/** Names of facilities and severities in the bytes of a message, in any case. */
final class Keywords {
    private static final byte[][] SEVERITIES = names("emerg alert crit err warning notice info debug");
    private static final byte[][] OTHER_SEVERITIES =
            names("emergency panic fatal critical error warn informational information trace");
    private static final int[] OTHER_SEVERITY_CODES = {0, 0, 2, 2, 3, 4, 6, 6, 7};
    private static final byte[][] FACILITIES =
            names("kern user mail daemon auth syslog lpr news uucp cron authpriv ftp ntp"
                    + " audit console cron2 local0 local1 local2 local3 local4 local5 local6 local7");
    private static final byte[][] OTHER_FACILITIES = names("kernel system security clock logaudit logalert");
    private static final int[] OTHER_FACILITY_CODES = {0, 3, 4, 9, 13, 14};

    private Keywords() {}

    private static byte[][] names(String text) {
        String[] names = text.split(" ", -1);
        byte[][] bytes = new byte[names.length][];
        for (int i = 0; i < names.length; i++) {
            bytes[i] = names[i].getBytes(StandardCharsets.US_ASCII);
        }
        return bytes;
    }

    /** The code of a severity, by keyword or a usual other name; -1 if it is unknown. */
    static int severity(byte[] b, int begin, int end) {
        int code = index(SEVERITIES, b, begin, end);
        int other = code < 0 ? index(OTHER_SEVERITIES, b, begin, end) : -1;
        return other < 0 ? code : OTHER_SEVERITY_CODES[other];
    }

    /** The code of a facility, by keyword or a usual other name; -1 if it is unknown. */
    static int facility(byte[] b, int begin, int end) {
        int code = index(FACILITIES, b, begin, end);
        int other = code < 0 ? index(OTHER_FACILITIES, b, begin, end) : -1;
        return other < 0 ? code : OTHER_FACILITY_CODES[other];
    }

    private static int index(byte[][] names, byte[] b, int begin, int end) {
        for (int i = 0; i < names.length; i++) {
            if (equalsIgnoreCase(names[i], b, begin, end)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean equalsIgnoreCase(byte[] name, byte[] b, int begin, int end) {
        if (end - begin != name.length) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            byte c = b[begin + i];
            if ((Ascii.isLetter(c) ? c | 0x20 : c) != name[i]) {
                return false;
            }
        }
        return true;
    }
}
