package io.millrace.internal.format;

import io.millrace.message.LineBuffer;
import io.millrace.message.LineFormat;
import io.millrace.message.LogRecord;

/** Formatter of the unchanged payload, with a line feed if it has none at its end. */
public final class RawFormat implements LineFormat {
    /** Creates the format. */
    public RawFormat() {}

    @Override
    public boolean writesBytes() {
        return true;
    }

    @Override
    public void write(LogRecord record, LineBuffer out) {
        out.append(record.bytes(), record.begin(), record.end());
        if (record.begin() == record.end() || record.bytes()[record.end() - 1] != '\n') {
            out.put('\n');
        }
    }
}
