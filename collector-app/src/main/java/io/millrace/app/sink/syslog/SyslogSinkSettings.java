package io.millrace.app.sink.syslog;

import io.millrace.app.tls.TlsSettings;
import java.time.Duration;

/**
 * Where and how messages are forwarded as syslog.
 *
 * @param host name or address of the server; a name is looked up for each connection
 * @param port its port
 * @param transport UDP, TCP or TLS
 * @param framing where a message ends in a stream; without meaning over UDP
 * @param format as what messages are sent
 * @param maxMessage the longest message that is sent, in bytes without the frame; a longer one is truncated
 * @param keepSource whether the address a message came from, and where it is in the journal, goes with it as structured
 *     data: see {@link SyslogSink}. Only in RFC 5424
 * @param connectTimeout how long a connection, with the handshake of TLS, may take
 * @param ackTimeout how long the server may take nothing of what it is sent; then the connection is given up
 * @param tls certificates; without meaning but over TLS
 */
public record SyslogSinkSettings(
        String host,
        int port,
        Transport transport,
        Framing framing,
        Format format,
        int maxMessage,
        boolean keepSource,
        Duration connectTimeout,
        Duration ackTimeout,
        TlsSettings tls) {

    /** What carries the messages. */
    public enum Transport {
        /** A datagram a message, RFC 5426. What does not arrive is lost. */
        UDP,
        /** RFC 6587. */
        TCP,
        /** RFC 5425, which means octet counting. */
        TLS
    }

    /** How the other side tells where a message ends in a stream, RFC 6587 section 3.4. */
    public enum Framing {
        /** Its length stands before it: any message can be sent. */
        OCTET_COUNTING,
        /** A line feed stands behind it: one within a message becomes {@code #012}. */
        LINE_FEED
    }

    /** As what messages are sent. */
    public enum Format {
        /** As RFC 5424 has it, whatever they came as. */
        RFC5424,
        /** The bytes as they came. */
        RAW
    }

    /** What every receiver must take (RFC 5424 section 6.1). */
    public static final int MIN_MAX_MESSAGE = 480;

    /** The most that any setting of a usual receiver allows for. */
    public static final int MAX_MAX_MESSAGE = 1 << 20;

    /** What rsyslog takes by default, to the byte: it takes what is left of a longer message for another one. */
    public static final int DEFAULT_MAX_MESSAGE = 8096;

    /** Checks every setting; the message of the exception names the first that is wrong and what it takes. */
    public SyslogSinkSettings {
        check(!host.isBlank(), "host", "'" + host + "'", "a name or an address");
        check(port >= 1 && port <= 65_535, "port", port, "1 to 65535");
        check(
                maxMessage >= MIN_MAX_MESSAGE && maxMessage <= MAX_MAX_MESSAGE,
                "maxMessage",
                maxMessage,
                MIN_MAX_MESSAGE + " to " + MAX_MAX_MESSAGE + " bytes");
        check(
                !keepSource || format == Format.RFC5424,
                "keepSource",
                "true with the format raw",
                "true only with the format rfc5424");
        check(connectTimeout.toMillis() >= 1, "connectTimeout", connectTimeout, "a time of at least 1 ms");
        check(ackTimeout.toMillis() >= 1, "ackTimeout", ackTimeout, "a time of at least 1 ms");
    }

    /** RFC 5424 with octet counting; 10 s to connect, and 30 s for a server that takes nothing. */
    public static SyslogSinkSettings of(String host, int port, Transport transport) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                Framing.OCTET_COUNTING,
                Format.RFC5424,
                DEFAULT_MAX_MESSAGE,
                false,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                TlsSettings.DEFAULT);
    }

    /** The same in another form. */
    public SyslogSinkSettings as(Format form, Framing frames, boolean withSource) {
        return new SyslogSinkSettings(
                host, port, transport, frames, form, maxMessage, withSource, connectTimeout, ackTimeout, tls);
    }

    /** The same with another length of the longest message. */
    public SyslogSinkSettings maxMessage(int bytes) {
        return new SyslogSinkSettings(
                host, port, transport, framing, format, bytes, keepSource, connectTimeout, ackTimeout, tls);
    }

    /** The same with other limits of time. */
    public SyslogSinkSettings timeouts(Duration connect, Duration ack) {
        return new SyslogSinkSettings(
                host, port, transport, framing, format, maxMessage, keepSource, connect, ack, tls);
    }

    /** The same with other certificates. */
    public SyslogSinkSettings tls(TlsSettings certificates) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                framing,
                format,
                maxMessage,
                keepSource,
                connectTimeout,
                ackTimeout,
                certificates);
    }

    private static void check(boolean good, String setting, Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
