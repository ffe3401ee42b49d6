package io.millrace.internal.transport.framing;

/** What the next byte of a stream belongs to. */
enum FramerState {
    /** The stream: it may begin with a byte order mark. */
    BEGIN,
    /** A new message. */
    START,
    /** Digits that may be an octet count; the beginning of it is kept. */
    HEADER,
    /** A message up to its end mark; the beginning of it may be kept. */
    LINE,
    /** A message whose length was announced; the count and the beginning of the message may be kept. */
    COUNTED,
    /** The bytes after a wrong count, up to a place where a message may begin; the beginning of it may be kept. */
    RESYNC,
    /** The rest of a line that is too long. */
    SKIP_LINE,
    /** The rest of a message whose announced length is too long. */
    SKIP_COUNTED,
    /** A count is missing, so the start of the next message is unknown. */
    BROKEN
}
