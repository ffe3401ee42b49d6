package io.millrace.internal.format;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;
import io.millrace.message.RecordField;

/**
 * Formatter of {@code key=value} pairs, separated by spaces. Values with spaces, quotes or control characters are
 * quoted as in JSON.
 */
public final class LogfmtFormat implements LineFormat {
    private static final RecordField[] FIELDS = RecordField.values();

    private final TimeWriter times = new TimeWriter();
    private final LineBuffer value = new LineBuffer();

    /** Creates the format. */
    public LogfmtFormat() {}

    @Override
    public void write(LogRecord record, LineBuffer out) {
        boolean first = true;
        for (RecordField field : FIELDS) {
            value.clear();
            boolean usual = field == RecordField.TRANSPORT && ((JournalRecord) record).isDatagram();
            if (usual || field == RecordField.RAW || !FieldText.append(field, record, times, value)) {
                continue;
            }
            out.ascii(first ? "" : " ").ascii(field.key()).put('=');
            if (isPlain(value)) {
                out.append(value.array(), 0, value.length());
            } else {
                JsonFormat.string(value.array(), 0, value.length(), out);
            }
            first = false;
        }
        out.put('\n');
    }

    private static boolean isPlain(LineBuffer text) {
        byte[] b = text.array();
        for (int i = 0; i < text.length(); i++) {
            if (b[i] <= ' ' || b[i] >= 0x7f || b[i] == '"' || b[i] == '\\' || b[i] == '=') {
                return false;
            }
        }
        return text.length() > 0;
    }
}
