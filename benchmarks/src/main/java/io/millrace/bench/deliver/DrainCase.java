package io.millrace.bench.deliver;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an output does with the messages of a journal. */
enum DrainCase {
    RAW(Messages.SYSLOG, "format: raw"),
    RFC5424(Messages.SYSLOG, "format: rfc5424"),
    JSON(Messages.SYSLOG, "format: json"),
    FORTIGATE_RAW(Messages.FORTIGATE, "format: raw"),
    WHERE_SEVERITY(Messages.FORTIGATE, "format: raw, where: severity <= warning", Messages.WARNING),
    WHERE_FIELD(Messages.FORTIGATE, "format: raw, where: 'fields.action == \"deny\"'", Messages.DENIED),
    WHERE_MATCHES(
            Messages.FORTIGATE,
            "format: raw, where: 'message matches \"srcip=192\\\\.0\\\\.2\\\\.\\\\d+ \"'",
            Messages.NETWORK),
    REDACT_PATTERN(Messages.FORTIGATE, "format: raw, edit: [redact: {pattern: 'password=\\S+', with: 'password=***'}]"),
    REDACT_SECRETS(Messages.FORTIGATE, "format: raw, edit: [redact: {preset: secrets}]"),
    REDACT_THREE(
            Messages.FORTIGATE,
            "format: raw, edit: [redact: {pattern: 'password=\\S+', with: 'password=***'}, redact: {preset: card-numbers},"
                    + " redact: {preset: email-addresses}]"),
    JSON_FIELDS(Messages.FORTIGATE, "format: json, fields: on"),
    JSON_REMOVE(Messages.FORTIGATE, "format: json, fields: on, edit: [remove: {field: fields.devname}]"),
    KAFKA_RAW(Messages.SYSLOG, "format: raw"),
    KAFKA_JSON(Messages.SYSLOG, "format: json");

    private final Messages messages;
    private final String settings;
    private final @Nullable String part;

    DrainCase(Messages messages, String settings) {
        this(messages, settings, null);
    }

    /**
     * A case with a filter.
     *
     * @param part what the messages have that the filter takes, and no others
     */
    DrainCase(Messages messages, String settings, @Nullable String part) {
        this.messages = messages;
        this.settings = settings;
        this.part = part;
    }

    Messages messages() {
        return messages;
    }

    /** The settings of the output, as in a flow mapping of YAML. */
    String settings() {
        return settings;
    }

    boolean isKafka() {
        return this == KAFKA_RAW || this == KAFKA_JSON;
    }

    /** True if the output delivers a message. */
    boolean takes(String message) {
        return part == null || message.contains(part);
    }

    /** True if a line of the output may be as it is. */
    boolean isRight(String line) {
        return takes(line) && !(settings.contains("redact") && line.contains(Messages.PASSWORD));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
