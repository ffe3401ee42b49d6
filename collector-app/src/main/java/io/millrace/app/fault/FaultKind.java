package io.millrace.app.fault;

import java.util.Locale;

/** The kinds of faults. Names are stable: alerts and metrics contain them. */
public enum FaultKind {
    /** Nothing is received. */
    NOT_RECEIVING("not-ready"),
    /** The journal cannot be appended to. The subject is the journal. */
    JOURNAL_BLOCKED("full-disk"),
    /** Datagrams were lost in the last minute. The subject is the drop reason. */
    DROPS("README"),
    /** Datagrams were deleted before an output read them. */
    OUTPUT_EXPIRED("destination-fails"),
    /** An output cannot deliver. */
    OUTPUT_FAILING("destination-fails"),
    /** Messages became dead letters of an output, and nobody has looked at them. */
    OUTPUT_REJECTS("dead-letters"),
    /** The oldest undelivered datagram of an output is old. */
    OUTPUT_LAGGING("destination-fails"),
    /** What an output has not delivered nearly fills the journal. The subject is the output. */
    JOURNAL_NEAR_FULL("full-disk"),
    /** The disk of the journal is nearly full. The subject is the journal. */
    DISK_NEAR_FULL("full-disk"),
    /** The certificate of an input cannot be read, or expires soon. */
    CERTIFICATE("certificate"),
    /** An input refuses or closes connections of a sender, or cannot understand it. The subject is the input and the reason. */
    SENDER("README"),
    /** A source has fallen silent. */
    SOURCE_SILENT("silent-source");

    private final String page;

    FaultKind(String page) {
        this.page = page;
    }

    /** The page of the runbook about it, from {@code docs}. */
    String page() {
        return "operate/runbook/" + page + ".md";
    }

    /** The name in JSON and in labels, such as {@code output-failing}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
