package io.millrace.parse;

/**
 * Cuts a datagram in which a sender has put several messages at its line feeds. A line ending is LF or CRLF, and is part of no
 * message; a line with nothing but carriage returns and NULs is passed over. If all lines are like that, the whole is one
 * message, so that there is always one. The last of {@value #MAX_MESSAGES} messages has all that is left: each message costs an output some hundred
 * bytes, and a sender could make ten thousands of them out of one datagram. One thread.
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

    /** Makes a walk over nothing. */
    public MessageLines() {}

    /** Goes to the first message. */
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

    /** Takes all of it for one message, whatever lines it has. */
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

    /** Goes to the next message; false, and stays, if there is none. */
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

    /** Finds the beginning of the next line that has something in it. */
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

    /** Where the message begins. */
    public int begin() {
        return begin;
    }

    /** Where it ends, exclusively, without its line ending. */
    public int end() {
        return end;
    }

    /** Where its line ends, exclusively, with its line ending: an octet count may be about that too. */
    public int lineEnd() {
        return next;
    }
}
