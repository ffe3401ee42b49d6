package io.millrace.internal.transport.framing;

/**
 * What decoders have done with the bytes they got: {@code payload + framing + skipped}, and what they keep of incomplete messages, are
 * all of them. The connections of an input on an event loop share one. One thread.
 */
public final class FramingCounts {
    public long messages;
    /** Messages that were longer than the limit. */
    public long truncated;
    /** Octet-counted messages that ended with their connection, and the bytes after a wrong count. */
    public long incomplete;
    /** Octet counts that are wrong, too large or begin with 0, bytes where a count should be, and frames of RELP that cannot be read. */
    public long errors;

    /** Bytes of messages. */
    public long payloadBytes;
    /** Bytes between messages. */
    public long framingBytes;
    /** Bytes of messages beyond the limit. */
    public long skippedBytes;
}
