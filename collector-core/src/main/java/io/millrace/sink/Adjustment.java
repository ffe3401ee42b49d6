package io.millrace.sink;

/** A change of a record by an output so that the destination accepts it. The journal keeps the original. */
public enum Adjustment {
    /** Truncated to the longest message that the destination accepts. */
    TRUNCATED("truncated"),
    /** Sent under another name (file, topic or labels), because the name made from its fields cannot be used. */
    RENAMED("renamed");

    private final String code;

    Adjustment(String code) {
        this.code = code;
    }

    /** Its name in metrics and in JSON. */
    public String code() {
        return code;
    }
}
