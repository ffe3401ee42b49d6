package io.millrace.internal.sources;

/** A numbering scheme: how a source assigns sequence numbers to its messages. */
enum NumberingScheme {
    /**
     * The sequence number at the beginning of a Cisco IOS message: {@code <189>123: }. Its maximum is not documented.
     */
    CISCO(0, 999_999_999_999L),

    /** The sequence number of {@code millrace send}: one stream per run and source number. */
    SENDER(0, 0xffff_ffffL),

    /** {@code sequenceId} of RFC 5424 section 7.3.1, read as one stream per host name. */
    HOST(1, Integer.MAX_VALUE),

    /** {@code sequenceId} of RFC 5424 section 7.3.1, read as one stream per host name and program. */
    PROGRAM(1, Integer.MAX_VALUE);

    private final long first;
    private final long last;

    NumberingScheme(long first, long last) {
        this.first = first;
        this.last = last;
    }

    boolean has(long number) {
        return number >= first && number <= last;
    }

    /** The size of the range; the number after the last one is the first one. */
    long span() {
        return last - first + 1;
    }
}
