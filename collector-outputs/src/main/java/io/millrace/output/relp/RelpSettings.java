package io.millrace.output.relp;

import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.forward.ForwardOptions;
import io.millrace.output.internal.forward.ForwardTarget;
import io.millrace.output.internal.forward.SyslogEncoder.Encoding;
import io.millrace.output.internal.forward.SyslogEncoder.Frame;
import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.output.syslog.SyslogSettings;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Settings of an output to a server of RELP, which acknowledges each message. */
public final class RelpSettings extends OutputSettings {
    static final Setting<Integer> PORT =
            Setting.withDefault("port", ForwardOptions.PORT, "2514", "The port. RELP has no registered one.");

    static final Setting<Transport> TRANSPORT = Setting.withDefault(
            "transport",
            SettingTypes.oneOf(Transport.class),
            "tcp",
            "tcp; tls: with the server's certificate, as `tls=\"on\"` of rsyslog's imrelp.");

    static final Setting<Integer> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            ForwardOptions.MAX_MESSAGE,
            ForwardOptions.DEFAULT_MAX_MESSAGE,
            "The maximum length of a message. A longer one is truncated and counted. Never use more than the receiver"
                    + " accepts: rsyslog accepts 8096 bytes by default (`maxDataSize` of imrelp), and truncates longer"
                    + " messages without a word, or closes the connection again and again (`oversizeMode`).");

    static final Setting<Duration> CONNECT_TIMEOUT = Setting.withDefault(
            "connectTimeout",
            SettingTypes.DURATION,
            "10s",
            "The time limit for connecting, and then for opening the session.");

    static final Setting<Duration> ACK_TIMEOUT = Setting.withDefault(
            "ackTimeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit without progress in sending or an answer; then the connection is closed and opened again.");

    /** The type {@code relp}. */
    public static final OutputType TYPE = new OutputType(
            "relp",
            "Forwards messages over RELP, to rsyslog's imrelp or to another Millrace. A message counts as delivered when"
                    + " the server has acknowledged it; the server decides whether it has it on disk then.",
            List.of(
                    ForwardOptions.HOST,
                    PORT,
                    TRANSPORT,
                    SyslogSettings.MESSAGE_FORMAT,
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
            RelpSettings::new);

    /** What RELP is carried over. */
    public enum Transport {
        /** TCP. */
        TCP,
        /** TLS. */
        TLS
    }

    private final ForwardTarget target;

    private RelpSettings(Settings values) {
        super(TYPE, values);
        ForwardOptions.check(values, writesBytes(), values.get(TRANSPORT));
        target = new ForwardTarget(
                values.get(ForwardOptions.HOST),
                values.get(PORT),
                false,
                timeLimit(CONNECT_TIMEOUT),
                timeLimit(ACK_TIMEOUT),
                values.get(ForwardOptions.RESOLVE),
                values.get(TRANSPORT) == Transport.TLS ? TlsOptions.of(values) : null);
    }

    /** Begins with the defaults: only the host is required. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public Sink sink(String output) {
        return new RelpSink(
                target,
                new Encoding(
                        writesBytes(),
                        Frame.NONE,
                        values().get(MAX_MESSAGE),
                        values().get(ForwardOptions.KEEP_SOURCE),
                        values().get(ForwardOptions.KEEP_MNEMONIC)));
    }

    @Override
    public boolean writesBytes() {
        return values().get(SyslogSettings.MESSAGE_FORMAT) == SyslogSettings.Format.RAW;
    }

    @Override
    public Destination destination() {
        return new Destination(target.host(), target.port(), false);
    }

    @Override
    public List<FileFinding> checkFiles() {
        return target.tls() == null ? List.of() : checkTlsFiles();
    }

    @Override
    public String connect(String output, Duration limit) throws IOException, InterruptedException {
        // Half of it to connect, and half to open the session.
        Duration half = limit.dividedBy(2);
        return RelpSink.connect(target.within(half, half));
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

        public Builder format(SyslogSettings.Format format) {
            return set(SyslogSettings.MESSAGE_FORMAT, format);
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
        public RelpSettings build() {
            return new RelpSettings(values());
        }
    }
}
