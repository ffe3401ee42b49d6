package io.millrace.deliver;

/** What an output changes of a record so that the destination takes it. The journal keeps the record as it came. */
public enum Adjustment {
    /** Shortened to the longest message that the destination takes. */
    TRUNCATED("truncated"),
    /** Sent under another name (file, topic or labels), because the one its fields make cannot be used. */
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
