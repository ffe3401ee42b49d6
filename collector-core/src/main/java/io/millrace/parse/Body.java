package io.millrace.parse;

/** What the message part of a syslog message is made of. */
public enum Body {
    /** Text for people, or nothing. */
    TEXT("text"),
    /** A JSON object, also after the cookie {@code @cee:}, which is then not part of the message. */
    JSON("json"),
    /** {@code CEF:0|vendor|product|version|id|name|severity|extension}. */
    CEF("cef"),
    /** {@code LEEF:1.0|vendor|product|version|id|extension}. */
    LEEF("leef"),
    /** {@code key=value key="a value"}: at least its beginning is. */
    KEY_VALUE("key-value"),
    /** Comma-separated values, kept whole. */
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
