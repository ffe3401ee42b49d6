package io.millrace.message;

/** The format of a syslog message's body. */
public enum Body {
    /** Plain text, or an empty body. */
    TEXT("text"),
    /** A JSON object. The cookie {@code @cee:} before it does not belong to the message. */
    JSON("json"),
    /** {@code CEF:0|vendor|product|version|id|name|severity|extension}. */
    CEF("cef"),
    /** {@code LEEF:1.0|vendor|product|version|id|extension}. */
    LEEF("leef"),
    /** A JSON object of GELF, whose {@code short_message} is the message. */
    GELF("gelf"),
    /** {@code key=value key="a value"}. Only the beginning is checked. */
    KEY_VALUE("key-value"),
    /** Comma-separated values, which are not split. */
    CSV("csv");

    private final String code;

    Body(String code) {
        this.code = code;
    }

    /** The code in the output, such as {@code cef}. */
    public String code() {
        return code;
    }
}
