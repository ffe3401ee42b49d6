package io.millrace.sink;

/** The reason why a record became a dead letter, in the counters and as the {@code kind} of the dead letter. */
public enum Refusal {
    /** It cannot be written in the form of the output. */
    ENCODING("encoding"),
    /** It is longer than the output or the destination takes. */
    TOO_LONG("too-long"),
    /** Its fields make the name of a topic that does not exist or cannot exist. */
    NAME("name"),
    /** The destination rejected it. */
    REJECTED("rejected");

    private final String code;

    Refusal(String code) {
        this.code = code;
    }

    /** Its name in metrics, in JSON and in dead letters. */
    public String code() {
        return code;
    }
}
