package io.millrace.message;

/** The format of a message as the parser detected it: the field {@code parse} of the output. */
public enum Kind {
    /** RFC 5424: a version after the PRI. */
    RFC5424("rfc5424"),
    /** RFC 3164 and similar: a PRI, or a timestamp at the beginning. */
    RFC3164("rfc3164"),
    /** Cisco IOS, IOS XE and XR, NX-OS, ASA and FTD: {@code %FACILITY-SEVERITY-MNEMONIC:}. */
    CISCO("vendor:cisco"),
    /** Fortinet FortiGate: {@code date=… time=… devname=…}. */
    FORTIGATE("vendor:fortigate"),
    /** Palo Alto Networks PAN-OS: comma-separated values. */
    PAN_OS("vendor:pan-os"),
    /** The filter log of pfSense and OPNsense: comma-separated values of {@code filterlog}. */
    PFSENSE("vendor:pfsense"),
    /** ArcSight's Common Event Format. */
    CEF("vendor:cef"),
    /** QRadar's Log Event Extended Format. */
    LEEF("vendor:leef"),
    /** Graylog's Extended Log Format. */
    GELF("gelf"),
    /** None of these: the whole payload is the message. */
    RAW("raw");

    private final String code;

    Kind(String code) {
        this.code = code;
    }

    /** The code in the output, such as {@code rfc5424}. */
    public String code() {
        return code;
    }
}
