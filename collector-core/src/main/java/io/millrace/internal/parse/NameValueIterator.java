package io.millrace.internal.parse;

/** The current name and value of an iterator over a message: offsets into the message's bytes. One thread. */
abstract class NameValueIterator {
    int nameBegin;
    int nameEnd;
    int valueBegin;
    int valueEnd;
    boolean escaped;

    /** The beginning of the name in the message's bytes. */
    public final int nameBegin() {
        return nameBegin;
    }

    /** The end of the name, exclusive. */
    public final int nameEnd() {
        return nameEnd;
    }

    /** The beginning of the value in the message's bytes, without quotes. */
    public final int valueBegin() {
        return valueBegin;
    }

    /** The end of the value, exclusive. */
    public final int valueEnd() {
        return valueEnd;
    }

    /** True if the value contains a backslash, which may be an escape. Always false in LEEF, which has no escapes. */
    public final boolean isEscaped() {
        return escaped;
    }
}
