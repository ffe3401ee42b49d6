package io.millrace.app.doctor;

import java.util.Locale;

/** How bad a finding is, the worst first. */
public enum FindingSeverity {
    /** It will lose datagrams, or did. */
    LOSES("will lose datagrams, or did"),
    /** It may lose datagrams under load. */
    RISK("may lose datagrams under load"),
    /** Good to know. */
    NOTE("good to know"),
    /** It could not be read. */
    UNAVAILABLE("could not be read"),
    /** Looked at, and good. */
    OK("looked at, and good");

    private final String meaning;

    FindingSeverity(String meaning) {
        this.meaning = meaning;
    }

    /** The name in JSON and in text. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What it means, for people. */
    String meaning() {
        return meaning;
    }
}
