package io.millrace.sources;

/** A way in which sources number what they send. */
enum NumberingScheme {
    /** The number at the beginning of a message of Cisco IOS: {@code <189>123: }. No end is known. */
    CISCO(0, 999_999_999_999L),

    /** The identity in what {@code millrace send} sends, a stream for each run and source number. */
    SENDER(0, 0xffff_ffffL),

    /** {@code sequenceId} of RFC 5424 section 7.3.1, taken as one numbering for each host name. */
    HOST(1, Integer.MAX_VALUE),

    /** The same, taken as one numbering for each program of each host name. */
    PROGRAM(1, Integer.MAX_VALUE);

    private final long first;
    private final long last;

    NumberingScheme(long first, long last) {
        this.first = first;
        this.last = last;
    }

    /** True if it has such a number. */
    boolean has(long number) {
        return number >= first && number <= last;
    }

    /** How many numbers there are; after the last comes the first. */
    long span() {
        return last - first + 1;
    }
}
