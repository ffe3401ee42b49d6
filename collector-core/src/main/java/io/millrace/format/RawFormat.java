package io.millrace.format;

/** The payload as it came, then a line feed unless it ends in one. */
public final class RawFormat implements LineFormat {
    /** Makes the format. */
    public RawFormat() {}

    @Override
    public void write(LogRecord record, LineBuffer out) {
        out.append(record.bytes(), record.begin(), record.end());
        if (record.begin() == record.end() || record.bytes()[record.end() - 1] != '\n') {
            out.put('\n');
        }
    }
}
