package io.millrace.app.doctor;

import java.util.Locale;

/** The severity of a finding, the most severe first. */
public enum FindingSeverity {
    /** It loses datagrams, or did. */
    LOSES("will lose datagrams, or did"),
    /** It may lose datagrams under load. */
    RISK("may lose datagrams under load"),
    /** Information. */
    NOTE("good to know"),
    /** It could not be read. */
    UNAVAILABLE("could not be read"),
    /** Checked without a problem. */
    OK("no problem");

    private final String meaning;

    FindingSeverity(String meaning) {
        this.meaning = meaning;
    }

    /** The name in JSON and in text. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The description. */
    String meaning() {
        return meaning;
    }
}
