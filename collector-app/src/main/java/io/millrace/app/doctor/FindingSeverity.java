package io.millrace.app.doctor;

import java.util.Locale;

/** The severity of a finding, the most severe first. */
public enum FindingSeverity {
    LOSES("will lose datagrams, or did"),
    RISK("may lose datagrams under load"),
    NOTE("good to know"),
    UNAVAILABLE("could not be read"),
    OK("no problem");

    private final String meaning;

    FindingSeverity(String meaning) {
        this.meaning = meaning;
    }

    /** The name in JSON and in text. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    String meaning() {
        return meaning;
    }
}
