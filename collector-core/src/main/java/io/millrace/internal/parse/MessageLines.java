package io.millrace.internal.parse;

/**
 * Splitter of a datagram that contains several messages, at its line feeds. A line ending is LF or CRLF, and belongs to
 * no message. Lines that contain only carriage returns and NULs are skipped. If all lines are like that, the whole
 * payload is one message, so there is always one. The last of {@value #MAX_MESSAGES} messages contains the remainder:
 * each message costs an output about a hundred bytes, and one datagram could contain tens of thousands. One thread.
 */
public final class MessageLines {
    static final int MAX_MESSAGES = 1024;

    private byte[] b = new byte[0];
    private int limit;
    private int begin;
    private int end;
    private int next;
    private int nextBegin;
    private int count;

    /** Creates a splitter without a payload. */
    public MessageLines() {}

    /** Starts at the first message. */
    public void wrap(byte[] bytes, int from, int to) {
        b = bytes;
        limit = to;
        next = from;
        count = 0;
        find(from);
        if (!next()) {
            whole(bytes, from, to);
        }
    }

    /** Treats the whole payload as one message. */
    public void whole(byte[] bytes, int from, int to) {
        b = bytes;
        limit = to;
        begin = from;
        end = to;
        next = to;
        nextBegin = to;
    }

    /** True if there is another message after this one. */
    public boolean hasNext() {
        return nextBegin < limit;
    }

    /** Moves to the next message; returns false, without moving, if there is none. */
    public boolean next() {
        if (!hasNext()) {
            return false;
        }
        begin = nextBegin;
        end = begin;
        count++;
        if (count == MAX_MESSAGES) {
            rest();
            return true;
        }
        while (end < limit && b[end] != '\n') {
            end++;
        }
        next = Math.min(end + 1, limit);
        if (end < limit && end > begin && b[end - 1] == '\r') {
            end--;
        }
        find(next);
        return true;
    }

    private void rest() {
        end = limit;
        while (end > begin && (b[end - 1] == '\n' || b[end - 1] == '\r' || b[end - 1] == 0)) {
            end--;
        }
        next = limit;
        nextBegin = limit;
    }

    /** Finds the beginning of the next line that is not empty. */
    private void find(int from) {
        nextBegin = from;
        for (int i = from; i < limit; i++) {
            if (b[i] == '\n') {
                nextBegin = i + 1;
            } else if (b[i] != '\r' && b[i] != 0) {
                return;
            }
        }
        nextBegin = limit;
    }

    /** The beginning of the message. */
    public int begin() {
        return begin;
    }

    /** The end of the message without its line ending, exclusive. */
    public int end() {
        return end;
    }

    /** The end of the line with its line ending, exclusive: an octet count may include it. */
    public int lineEnd() {
        return next;
    }
}
