package io.millrace.message;

/**
 * A parsed syslog message: a view of its bytes, valid as long as they do not change. A field is an offset and a length, and is
 * decoded on request. One thread. Not to be implemented by programs.
 */
public interface SyslogMessage {
    /** The value of a missing timestamp. */
    long NO_TIME = Long.MIN_VALUE;

    /** A text field of the message. It is absent if it is missing or RFC 5424's NILVALUE. */
    enum Field {
        /** The sender's host name according to the message. */
        HOSTNAME,
        /** The application; in RFC 3164 the tag without its process id; Cisco's {@code %FACILITY-SEVERITY-MNEMONIC}. */
        APPNAME,
        /** The process id, or the text in its place. */
        PROCID,
        /** The type of message, RFC 5424 only. */
        MSGID,
        /** The unparsed structured data, RFC 5424 section 6.3. */
        STRUCTURED_DATA,
        /** The text, without a byte order mark and without line feeds and NULs at its end. */
        MESSAGE
    }

    /** The detected format. */
    Kind kind();

    /** The format of the body. */
    Body body();

    /** The facility; {@code user} if the message has none (RFC 3164 section 4.3.3). */
    Facility facility();

    /** The severity; {@code notice} if the message has none. */
    Severity severity();

    /** True if the message has no facility and severity. */
    boolean isPriorityMissing();

    /** True if the message has no severity. */
    boolean isSeverityMissing();

    /** True if the message has no facility. GELF has a severity only. */
    boolean isFacilityMissing();

    /** RFC 5424's version, which is 1; 0 for other messages. */
    int version();

    /**
     * The timestamp in ns since the epoch; {@link #NO_TIME} if the message has none. Without a time zone, it is in that of the
     * input. Without a year, it is in the latest year that puts it at most a week after the receive time.
     */
    long timestampNs();

    /** The sequence number that the device wrote (Cisco), or -1. */
    long sequenceId();

    /** True if the message has this field; it may be empty. */
    boolean has(Field field);

    /** The beginning of a field in {@link #bytes()}; -1 if it is absent. */
    int begin(Field field);

    /** The end of a field, exclusive; -1 if it is absent. */
    int end(Field field);

    /** The array that the offsets refer to; not a copy. */
    byte[] bytes();

    /** A field as a new string, with U+FFFD for invalid UTF-8; empty if it is absent. */
    String text(Field field);
}
