package io.millrace.format;

/** Formatter of a record as one line. */
public interface LineFormat {
    /** Appends the line with its line feed. */
    void write(LogRecord record, LineBuffer out);
}
