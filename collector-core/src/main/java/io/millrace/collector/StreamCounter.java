package io.millrace.collector;

import org.jspecify.annotations.Nullable;

/**
 * The counters of a stream input in each shard, since the start of the process: the only definition of their names and
 * meanings. Metrics, {@code /api/status} and {@code docs/reference/metrics.md} are generated from it.
 *
 * <p>In bytes, {@code READ = PAYLOAD + FRAMING + SKIPPED} once no message is on its way.
 */
public enum StreamCounter {
    MESSAGES("messages", null, "Messages of the input's connections, since the start"),
    TRUNCATED("truncated.messages", null, "Messages truncated to maxMessage"),
    INCOMPLETE(
            "incomplete.messages",
            null,
            "Messages whose connection ended before they did, and bytes after a wrong octet count"),
    ACKNOWLEDGED("acknowledged.messages", null, "Messages acknowledged to their senders (RELP)"),
    FRAMING_ERRORS(
            "framing.errors",
            null,
            "Octet counts that are wrong or that RFC 6587 does not allow, and RELP frames that cannot be read"),
    READ_BYTES("read.bytes", null, "Bytes read from the input's connections, since the start"),
    PAYLOAD_BYTES("payload.bytes", null, "Bytes read from the input's connections that are in messages, as stored"),
    FRAMING_BYTES(
            "framing.bytes",
            null,
            "Bytes read from the input's connections that are octet counts, line ends, empty messages and RELP commands"),
    SKIPPED_BYTES(
            "skipped.bytes",
            null,
            "Bytes read from the input's connections that are beyond maxMessage, or not understood"),
    AFTER_STOP_BYTES("after.stop.bytes", null, "Bytes that were not read when the stop closed their connections"),
    RATE_LIMITED("rate.limited.waits", null, "Times a connection was not read for a while because of a rate limit"),
    TLS_WAITS("tls.waiting.handshakes", null, "TLS handshakes that waited for their turn"),
    ACCEPTED("accepted.connections", null, "Connections accepted, since the start"),
    ADOPTED("adopted.connections", null, "Connections received from the previous process at a hot restart"),
    REFUSED_MAX("refused.connections", "max_connections", "Connections refused, by reason"),
    REFUSED_PER_SOURCE("refused.connections", "max_connections_per_source", "Connections refused, by reason"),
    REFUSED_DESCRIPTORS("refused.connections", "descriptors", "Connections refused, by reason"),
    REFUSED_DENIED("refused.connections", "denied", "Connections refused, by reason"),
    CLOSED_PEER("closed.connections", "peer", "Connections closed, by reason"),
    CLOSED_ERROR("closed.connections", "error", "Connections closed, by reason"),
    CLOSED_IDLE("closed.connections", "idle", "Connections closed, by reason"),
    CLOSED_FRAMING("closed.connections", "framing", "Connections closed, by reason"),
    CLOSED_RELP_FRAME("closed.connections", "relp_frame", "Connections closed, by reason"),
    CLOSED_MEMORY("closed.connections", "memory", "Connections closed, by reason"),
    CLOSED_DENIED("closed.connections", "denied", "Connections closed, by reason"),
    CLOSED_PROXY_HEADER("closed.connections", "proxy_header", "Connections closed, by reason"),
    CLOSED_TLS_PLAIN_TEXT("closed.connections", "tls_plain_text", "Connections closed, by reason"),
    CLOSED_TLS_VERSION("closed.connections", "tls_version", "Connections closed, by reason"),
    CLOSED_TLS_NO_CERTIFICATE("closed.connections", "tls_no_certificate", "Connections closed, by reason"),
    CLOSED_TLS_EXPIRED("closed.connections", "tls_expired", "Connections closed, by reason"),
    CLOSED_TLS_UNTRUSTED("closed.connections", "tls_untrusted", "Connections closed, by reason"),
    CLOSED_TLS_NOT_ALLOWED("closed.connections", "tls_not_allowed", "Connections closed, by reason"),
    CLOSED_TLS_REJECTED("closed.connections", "tls_rejected", "Connections closed, by reason"),
    CLOSED_TLS_TIMEOUT("closed.connections", "tls_timeout", "Connections closed, by reason"),
    CLOSED_TLS_RECORDS("closed.connections", "tls_records", "Connections closed, by reason"),
    CLOSED_TLS_FAILED("closed.connections", "tls_failed", "Connections closed, by reason"),
    CLOSED_STOP("closed.connections", "stop", "Connections closed, by reason"),
    HANDED_OFF("closed.connections", "handoff", "Connections closed, by reason");

    private final String metricName;
    private final @Nullable String reason;
    private final String help;

    StreamCounter(String metricName, @Nullable String reason, String help) {
        this.metricName = metricName;
        this.reason = reason;
        this.help = help;
    }

    /** Name in metrics, in dotted form and without prefix. */
    public String metricName() {
        return metricName;
    }

    /** Why connections were refused or closed; null if it does not count these. */
    public @Nullable String reason() {
        return reason;
    }

    /** One line for a person. */
    public String help() {
        return help;
    }

    /** True if it counts connections that have ended. */
    public boolean isClosed() {
        return metricName.equals(CLOSED_PEER.metricName);
    }
}
