package io.millrace.record;

/** Why the datagrams of a gap batch are not in the journal. */
public enum GapReason {
    /** A number that this version does not know. */
    OTHER(0, "not in the journal"),
    /** Their bytes were damaged or gone when the journal was repaired. */
    LOST(1, "lost before a repair"),
    /** They are in another data directory, of which this one is an extract. */
    NOT_EXPORTED(2, "not exported");

    private final int number;
    private final String words;

    GapReason(int number, String words) {
        this.number = number;
        this.words = words;
    }

    int number() {
        return number;
    }

    static GapReason of(int number) {
        for (GapReason reason : values()) {
            if (reason.number == number) {
                return reason;
            }
        }
        return OTHER;
    }

    /** In words, for people. */
    public String words() {
        return words;
    }
}
