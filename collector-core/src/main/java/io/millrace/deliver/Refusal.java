package io.millrace.deliver;

/** Why a record became a dead letter: the kinds that are counted, and that a dead letter names as its {@code kind}. */
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
