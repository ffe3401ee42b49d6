package io.millrace.transport.stream;

/**
 * What framers have done with the bytes they got: {@code payload + framing + skipped}, and what {@link Framer#pending()} says, are
 * all of them. The connections of an input on an event loop share one. One thread.
 */
final class FramingCounts {
    long messages;
    long truncated;
    long incomplete;
    /** Octet counts with leading zeros, of 0, or too large, and bytes where a count should be. */
    long errors;

    long payloadBytes;
    long framingBytes;
    long skippedBytes;
}
