package io.millrace.format;

/**
 * The payload for somebody's eyes, a line each: with control characters as {@code #} and three octal digits, for whoever can send
 * a datagram could otherwise give commands to the terminal.
 */
public final class TerminalFormat implements LineFormat {
    /** Makes the format. */
    public TerminalFormat() {}

    @Override
    public void write(LogRecord record, LineBuffer out) {
        int end = record.end();
        if (end > record.begin() && record.bytes()[end - 1] == '\n') {
            end--;
        }
        out.line(record.bytes(), record.begin(), end);
        out.put('\n');
    }
}
