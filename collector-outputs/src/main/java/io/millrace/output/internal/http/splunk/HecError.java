package io.millrace.output.internal.http.splunk;

import org.jspecify.annotations.Nullable;

/**
 * The error codes of the HTTP Event Collector, and whose fault they are: the table of {@code docs/outputs/splunk.md}. The codes are those of "Troubleshoot
 * HTTP Event Collector" for Splunk 9 and 10.
 */
enum HecError {
    TOKEN_DISABLED(1, Fault.DESTINATION, "enable the token in Splunk"),
    TOKEN_REQUIRED(2, Fault.DESTINATION, "set 'token'; a proxy may remove the header Authorization"),
    INVALID_AUTHORIZATION(3, Fault.DESTINATION, "check 'token'"),
    INVALID_TOKEN(4, Fault.DESTINATION, "check 'token': Splunk has no such token"),
    NO_DATA(5, Fault.DESTINATION, "the messages did not arrive: look for a proxy that drops the body"),
    INVALID_DATA_FORMAT(6, Fault.RECORD, ""),
    INCORRECT_INDEX(7, Fault.INDEX, "create the index, and allow it for the token"),
    INTERNAL_ERROR(8, Fault.DESTINATION, ""),
    BUSY(9, Fault.DESTINATION, ""),
    CHANNEL_MISSING(10, Fault.DESTINATION, "indexer acknowledgement is enabled for the token: set 'acknowledge: on'"),
    INVALID_CHANNEL(11, Fault.DESTINATION, "look for a proxy that changes the parameter channel"),
    EVENT_REQUIRED(12, Fault.RECORD, ""),
    EVENT_BLANK(13, Fault.RECORD, ""),
    ACK_DISABLED(14, Fault.DESTINATION, "enable indexer acknowledgement for the token, or set 'acknowledge: off'"),
    INDEXED_FIELDS(15, Fault.RECORD, ""),
    QUERY_AUTHORIZATION(16, Fault.DESTINATION, "take the token out of 'url', and set 'token'"),
    QUEUES_FULL(18, Fault.DESTINATION, ""),
    ACK_UNAVAILABLE(19, Fault.DESTINATION, ""),
    FULL_AND_ACK_UNAVAILABLE(20, Fault.DESTINATION, ""),
    HEALTH_INVALID_TOKEN(21, Fault.DESTINATION, "check 'token'"),
    HEALTH_TOKEN_DISABLED(22, Fault.DESTINATION, "enable the token in Splunk"),
    SHUTTING_DOWN(23, Fault.DESTINATION, ""),
    QUEUE_AT_CAPACITY(26, Fault.DESTINATION, ""),
    ACKS_AT_CAPACITY(27, Fault.DESTINATION, "");

    /** Whose fault an error is. */
    enum Fault {
        /** The event is invalid: it becomes a dead letter. */
        RECORD,
        /** As {@link #RECORD} if the message has chosen the index; else the output waits. */
        INDEX,
        /** Splunk or its settings: the output waits. */
        DESTINATION
    }

    private final int code;
    private final Fault fault;
    private final String remedy;

    HecError(int code, Fault fault, String remedy) {
        this.code = code;
        this.fault = fault;
        this.remedy = remedy;
    }

    /** The error with a code; null if there is none. */
    static @Nullable HecError of(long code) {
        for (HecError error : values()) {
            if (error.code == code) {
                return error;
            }
        }
        return null;
    }

    int code() {
        return code;
    }

    Fault fault() {
        return fault;
    }

    /** What to do; empty if nothing is to be done in Splunk or in the settings. */
    String remedy() {
        return remedy;
    }
}
