package io.millrace.app.sink.syslog;

import io.millrace.app.tls.TlsSettings;
import java.time.Duration;

/**
 * The settings of a syslog output.
 *
 * @param host the name or address of the server; a name is resolved for each connection
 * @param port the port
 * @param transport UDP, TCP or TLS
 * @param framing the framing in a stream; ignored over UDP
 * @param format the format of messages
 * @param maxMessage the maximum message in bytes without the frame; longer ones are truncated
 * @param keepSource true to add the source address and the position in the journal as structured data: see {@link
 *     SyslogSink}. Only in RFC 5424
 * @param keepMnemonic true if the text of Cisco's messages begins with their mnemonic, as the device sends it. Only in RFC 5424
 * @param connectTimeout the time limit for connecting, including the TLS handshake
 * @param ackTimeout the time limit without progress in sending; then the connection is closed
 * @param resolve how often the host name is looked up while a connection is open; zero for never
 * @param tls the certificates, for TLS only
 */
public record SyslogSinkSettings(
        String host,
        int port,
        Transport transport,
        Framing framing,
        Format format,
        int maxMessage,
        boolean keepSource,
        boolean keepMnemonic,
        Duration connectTimeout,
        Duration ackTimeout,
        Duration resolve,
        TlsSettings tls) {

    /** The transport of messages. */
    public enum Transport {
        /** One datagram per message, RFC 5426. Lost datagrams are not noticed. */
        UDP,
        /** RFC 6587. */
        TCP,
        /** RFC 5425, which requires octet counting. */
        TLS
    }

    /** The framing of messages in a stream, RFC 6587 section 3.4. */
    public enum Framing {
        /** The length precedes the message: any message can be sent. */
        OCTET_COUNTING,
        /** A line feed follows the message; one within it becomes {@code #012}. */
        LINE_FEED
    }

    /** The format of messages. */
    public enum Format {
        /** RFC 5424 for any message. */
        RFC5424,
        /** The bytes unchanged. */
        RAW
    }

    /** The length that every receiver must accept (RFC 5424 section 6.1). */
    public static final int MIN_MAX_MESSAGE = 480;

    /** The maximum of the usual receivers' settings. */
    public static final int MAX_MAX_MESSAGE = 1 << 20;

    /** The default of rsyslog, which treats the remainder of a longer message as another one. */
    public static final int DEFAULT_MAX_MESSAGE = 8096;

    /** The default of {@code resolve}: a destination that moves is followed within a minute, although a resolver may keep its address. */
    static final Duration RESOLVE = Duration.ofSeconds(30);

    /** Checks every setting; the message of the exception has the name of the first invalid one and its valid values. */
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

    /** The defaults: RFC 5424 with octet counting, 10 s to connect, and 30 s without progress. */
    public static SyslogSinkSettings of(String host, int port, Transport transport) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                Framing.OCTET_COUNTING,
                Format.RFC5424,
                DEFAULT_MAX_MESSAGE,
                false,
                true,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                RESOLVE,
                TlsSettings.DEFAULT);
    }

    /** A copy with another format. */
    public SyslogSinkSettings as(Format form, Framing frames, boolean withSource) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                frames,
                form,
                maxMessage,
                withSource,
                keepMnemonic,
                connectTimeout,
                ackTimeout,
                resolve,
                tls);
    }

    /** A copy with another maximum message. */
    public SyslogSinkSettings maxMessage(int bytes) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                framing,
                format,
                bytes,
                keepSource,
                keepMnemonic,
                connectTimeout,
                ackTimeout,
                resolve,
                tls);
    }

    /** A copy with other time limits. */
    public SyslogSinkSettings timeouts(Duration connect, Duration ack) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                framing,
                format,
                maxMessage,
                keepSource,
                keepMnemonic,
                connect,
                ack,
                resolve,
                tls);
    }

    /** A copy with other certificates. */
    public SyslogSinkSettings tls(TlsSettings certificates) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                framing,
                format,
                maxMessage,
                keepSource,
                keepMnemonic,
                connectTimeout,
                ackTimeout,
                resolve,
                certificates);
    }

    /** A copy with another time between two lookups of the host name. */
    public SyslogSinkSettings resolve(Duration every) {
        return new SyslogSinkSettings(
                host,
                port,
                transport,
                framing,
                format,
                maxMessage,
                keepSource,
                keepMnemonic,
                connectTimeout,
                ackTimeout,
                every,
                tls);
    }

    private static void check(boolean good, String setting, Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
