package io.millrace.output.syslog;

import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.forward.ForwardOptions;
import io.millrace.output.internal.forward.ForwardTarget;
import io.millrace.output.internal.forward.SyslogEncoder.Encoding;
import io.millrace.output.internal.forward.SyslogEncoder.Frame;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Settings of an output to a syslog server. Syslog has no acknowledgements: data that a server has not read when it dies is lost, up to
 * some MiB over TCP and TLS. Over UDP only a port without a listener is noticed.
 */
public final class SyslogSettings extends OutputSettings {
    static final Setting<Integer> PORT =
            Setting.withDefault("port", ForwardOptions.PORT, "514", "The port; 6514 is usual over TLS.");

    static final Setting<Transport> TRANSPORT = Setting.withDefault(
            "transport",
            SettingTypes.oneOf(Transport.class),
            "tcp",
            "udp: one datagram per message, without any confirmation; tcp; tls: as in RFC 5425.");

    static final Setting<Framing> FRAMING = Setting.withDefault(
            "framing",
            SettingTypes.oneOf(Framing.class),
            "octet-counting",
            "The framing on tcp or tls (RFC 6587). With line-feed, a line feed within a message becomes `#012` and a byte 0 `#000`,"
                    + " and a message that begins with a digit gets a space before it, because it would be read as a"
                    + " length. With octet-counting, a message that does not begin with `<` gets the priority `<13>`"
                    + " (RFC 3164), because receivers of both framings expect one after the length.");

    /** The format of messages, here and over RELP. */
    public static final Setting<Format> MESSAGE_FORMAT = Setting.withDefault(
            "format",
            SettingTypes.oneOf(Format.class),
            "rfc5424",
            "rfc5424: converted to RFC 5424; raw: the bytes unchanged, but for what `framing` says.");

    static final Setting<Integer> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            ForwardOptions.MAX_MESSAGE,
            ForwardOptions.DEFAULT_MAX_MESSAGE,
            "The maximum length of a message. A longer one is truncated and counted. Never use more than the"
                    + " receiver accepts: it may close the connection, stop reading, or treat the remainder as another"
                    + " message, which a sender can forge. rsyslog accepts 8096 bytes by default (`maxMessageSize`),"
                    + " syslog-ng 64K (`log-msg-size`).");

    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    static final Setting<Duration> ACK_TIMEOUT = Setting.withDefault(
            "ackTimeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit without progress in sending; then the connection is closed and opened again.");

    /** The type {@code syslog}. */
    public static final OutputType TYPE = new OutputType(
            "syslog",
            "Forwards messages as syslog. Syslog has no acknowledgements: a message counts as delivered when this"
                    + " host's kernel has accepted it. Data that a server has not read when it dies is lost.",
            List.of(
                    ForwardOptions.HOST,
                    PORT,
                    TRANSPORT,
                    FRAMING,
                    MESSAGE_FORMAT,
                    MAX_MESSAGE,
                    ForwardOptions.KEEP_SOURCE,
                    ForwardOptions.KEEP_MNEMONIC,
                    CONNECT_TIMEOUT,
                    ACK_TIMEOUT,
                    ForwardOptions.RESOLVE,
                    TlsOptions.CA_FILE,
                    TlsOptions.CERTIFICATE_FILE,
                    TlsOptions.KEY_FILE,
                    TlsOptions.VERIFY_HOSTNAME),
            BatchSettings.PROMPT,
            SyslogSettings::new);

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

    private final ForwardTarget target;

    private SyslogSettings(Settings values) {
        super(TYPE, values);
        ForwardOptions.check(values, writesBytes(), values.get(TRANSPORT));
        target = new ForwardTarget(
                values.get(ForwardOptions.HOST),
                values.get(PORT),
                values.get(TRANSPORT) == Transport.UDP,
                timeLimit(CONNECT_TIMEOUT),
                timeLimit(ACK_TIMEOUT),
                values.get(ForwardOptions.RESOLVE),
                values.get(TRANSPORT) == Transport.TLS ? TlsOptions.of(values) : null);
    }

    /** Begins with the defaults: only the host is required. */
    public static Builder builder() {
        return new Builder();
    }

    /** Where messages are sent, for people. */
    String place() {
        return values().get(TRANSPORT) + " to " + target.host() + " port " + target.port();
    }

    ForwardTarget target() {
        return target;
    }

    Encoding encoding() {
        return new Encoding(
                writesBytes(),
                target.udp()
                        ? Frame.DATAGRAM
                        : values().get(FRAMING) == Framing.LINE_FEED ? Frame.LINE_FEED : Frame.OCTET_COUNTING,
                values().get(MAX_MESSAGE),
                values().get(ForwardOptions.KEEP_SOURCE),
                values().get(ForwardOptions.KEEP_MNEMONIC));
    }

    @Override
    public Sink sink(String output) {
        return new SyslogSink(place(), target, encoding());
    }

    @Override
    public boolean writesBytes() {
        return values().get(MESSAGE_FORMAT) == Format.RAW;
    }

    @Override
    public Destination destination() {
        return new Destination(target.host(), target.port(), target.udp());
    }

    @Override
    public List<FileFinding> checkFiles() {
        return target.tls() == null ? List.of() : checkTlsFiles();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        return SyslogSink.connect(place(), target.within(limit, limit));
    }

    /** Builder of settings, whose names, meanings and defaults are those of the configuration reference. One thread. */
    public static final class Builder extends TlsBuilder<Builder> {
        private Builder() {}

        public Builder host(String host) {
            return set(ForwardOptions.HOST, host);
        }

        public Builder port(int port) {
            return set(PORT, port);
        }

        public Builder transport(Transport transport) {
            return set(TRANSPORT, transport);
        }

        public Builder framing(Framing framing) {
            return set(FRAMING, framing);
        }

        public Builder format(Format format) {
            return set(MESSAGE_FORMAT, format);
        }

        /** The bytes at which a message is truncated. Never use more than the receiver accepts. */
        public Builder maxMessage(int bytes) {
            return set(MAX_MESSAGE, bytes);
        }

        /** Whether the source address and the position in the journal are added as structured data. */
        public Builder keepSource(boolean kept) {
            return set(ForwardOptions.KEEP_SOURCE, kept);
        }

        /** Whether Cisco's mnemonic stays at the beginning of the text. */
        public Builder keepMnemonic(boolean kept) {
            return set(ForwardOptions.KEEP_MNEMONIC, kept);
        }

        public Builder connectTimeout(Duration limit) {
            return set(CONNECT_TIMEOUT, limit);
        }

        public Builder ackTimeout(Duration limit) {
            return set(ACK_TIMEOUT, limit);
        }

        /** How often the host name is looked up while a connection is open, zero for never. */
        public Builder resolve(Duration every) {
            return set(ForwardOptions.RESOLVE, every);
        }

        /** Checks the settings together. */
        public SyslogSettings build() {
            return new SyslogSettings(values());
        }
    }
}
