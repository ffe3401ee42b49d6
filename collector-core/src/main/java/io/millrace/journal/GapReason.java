package io.millrace.journal;

/** The reason for the sequence gap of a gap batch. */
public enum GapReason {
    /** An unknown number, such as that of a later version. */
    OTHER(0, "not in the journal"),
    /** The datagrams were damaged or missing when the journal was repaired. */
    LOST(1, "lost before a repair"),
    /** The datagrams are in the data directory that this one was exported from. */
    NOT_EXPORTED(2, "not exported"),
    /**
     * The datagrams were not on the disk when the power failed. The numbers are those that may have been in use, so there may have
     * been fewer datagrams.
     */
    POWER_FAILURE(3, "lost by a power failure");

    private final int number;
    private final String words;

    GapReason(int number, String words) {
        this.number = number;
        this.words = words;
    }

    /** The number in gap batches. */
    public int number() {
        return number;
    }

    /** The reason with a number; {@link #OTHER} if it is unknown. */
    public static GapReason of(int number) {
        for (GapReason reason : values()) {
            if (reason.number == number) {
                return reason;
            }
        }
        return OTHER;
    }

    /** The reason in words, for people. */
    public String words() {
        return words;
    }
}
