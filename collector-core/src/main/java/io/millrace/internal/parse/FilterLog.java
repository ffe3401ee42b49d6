package io.millrace.internal.parse;

import io.millrace.message.SyslogMessage.Field;
import java.nio.charset.StandardCharsets;

/**
 * Detector of the filter log of pfSense and OPNsense, which the program {@code filterlog} writes.
 *
 * <pre>
 * rule,sub-rule,anchor,tracker,interface,reason,action,direction,IP version,…
 * 5,,,1000000103,em0,match,block,in,4,0x0,,64,1,0,DF,6,tcp,60,198.51.100.7,192.0.2.1,44321,22,0,S,123,,65535,,mss
 * </pre>
 *
 * What follows depends on the IP version and the protocol. OPNsense has the rule's label in place of the tracker.
 */
final class FilterLog {
    private static final byte[] PROGRAM = "filterlog".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] IN = ",in,".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OUT = ",out,".getBytes(StandardCharsets.US_ASCII);
    /** The number of commas before the direction. */
    private static final int COMMAS = 7;

    private FilterLog() {}

    /** True if the program is {@code filterlog}, and the text begins with a rule and has a direction and IP version. */
    static boolean isOne(ParsedMessage message) {
        int name = message.begin(Field.APPNAME);
        byte[] b = message.bytes;
        if (message.end(Field.APPNAME) - name != PROGRAM.length
                || !Ascii.startsWith(b, name, name + PROGRAM.length, PROGRAM)) {
            return false;
        }
        int end = message.end(Field.MESSAGE);
        int begin = message.begin(Field.MESSAGE);
        int pos = begin;
        while (pos < end && b[pos] >= '0' && b[pos] <= '9') {
            pos++;
        }
        if (pos == begin || pos >= end || b[pos] != ',') {
            return false;
        }
        for (int commas = 1; commas < COMMAS; commas++) {
            do {
                pos++;
            } while (pos < end && b[pos] != ',');
        }
        if (Ascii.startsWith(b, pos, end, IN)) {
            return isVersion(b, pos + IN.length, end);
        }
        return Ascii.startsWith(b, pos, end, OUT) && isVersion(b, pos + OUT.length, end);
    }

    private static boolean isVersion(byte[] b, int pos, int end) {
        return end - pos >= 2 && (b[pos] == '4' || b[pos] == '6') && b[pos + 1] == ',';
    }
}
