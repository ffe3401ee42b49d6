package io.millrace.internal.format;

/** Formatter of a record as one line. */
public interface LineFormat {
    /** Appends the line with its line feed. */
    void write(LogRecord record, LineBuffer out);

    /** True if it writes the bytes of the message, which changes of its fields do not affect. */
    default boolean writesBytes() {
        return false;
    }
}
