package io.millrace.app.sink.syslog;

import io.millrace.app.config.BatchSettings;
import io.millrace.app.config.Bound;
import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputType;
import io.millrace.app.config.Problem;
import io.millrace.app.config.TlsOptions;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;

/** {@code type: syslog}. */
public final class SyslogOutput implements OutputType {
    /** The same for RELP. */
    public static final Setting<String> HOST =
            Setting.required("host", SettingTypes.HOST, "The name or address of the server.");

    static final Setting<Integer> PORT =
            Setting.withDefault("port", SettingTypes.integer(1, 65_535), "514", "The port; 6514 is usual over TLS.");

    static final Setting<SyslogSinkSettings.Transport> TRANSPORT = Setting.withDefault(
            "transport",
            SettingTypes.oneOf(SyslogSinkSettings.Transport.class),
            "tcp",
            "udp: one datagram per message, without any confirmation; tcp; tls: as in RFC 5425.");

    static final Setting<SyslogSinkSettings.Framing> FRAMING = Setting.withDefault(
            "framing",
            SettingTypes.oneOf(SyslogSinkSettings.Framing.class),
            "octet-counting",
            "The framing on tcp or tls (RFC 6587). With line-feed, a line feed within a message becomes `#012` and a byte 0 `#000`,"
                    + " and a message that begins with a digit gets a space before it, because it would be read as a"
                    + " length. With octet-counting, a message that does not begin with `<` gets the priority `<13>`"
                    + " (RFC 3164), because receivers of both framings expect one after the length.");

    /** The same for RELP. */
    public static final Setting<SyslogSinkSettings.Format> FORMAT = Setting.withDefault(
            "format",
            SettingTypes.oneOf(SyslogSinkSettings.Format.class),
            "rfc5424",
            "rfc5424: converted to RFC 5424; raw: the bytes unchanged, but for what `framing` says.");

    static final Setting<Long> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            SettingTypes.longSize(SyslogSinkSettings.MIN_MAX_MESSAGE, SyslogSinkSettings.MAX_MAX_MESSAGE),
            Integer.toString(SyslogSinkSettings.DEFAULT_MAX_MESSAGE),
            "The maximum length of a message. A longer one is truncated and counted. Never use more than the"
                    + " receiver accepts: it may close the connection, stop reading, or treat the remainder as another"
                    + " message, which a sender can forge. rsyslog accepts 8096 bytes by default (`maxMessageSize`),"
                    + " syslog-ng 64K (`log-msg-size`).");

    /** The same for RELP. */
    public static final Setting<Boolean> KEEP_SOURCE = Setting.withDefault(
            "keepSource",
            SettingTypes.SWITCH,
            "off",
            "Adds the source address and the position in the journal as the structured data `millrace@32473`;"
                    + " only with `format: rfc5424`.");

    /** The same for RELP. */
    public static final Setting<Boolean> KEEP_MNEMONIC = Setting.withDefault(
            "keepMnemonic",
            SettingTypes.SWITCH,
            "on",
            "Whether Cisco's mnemonic, such as `%ASA-6-302013:`, stays at the beginning of the text with `format: rfc5424`. It is"
                    + " the APP-NAME in each case.");

    static final Setting<Duration> CONNECT_TIMEOUT =
            Setting.withDefault("connectTimeout", SettingTypes.DURATION, "10s", "The time limit for connecting.");

    static final Setting<Duration> ACK_TIMEOUT = Setting.withDefault(
            "ackTimeout",
            SettingTypes.DURATION,
            "30s",
            "The time limit without progress in sending; then the connection is closed and opened again.");

    /** The same for RELP. */
    public static final Setting<Duration> RESOLVE = Setting.withDefault(
            "resolve",
            SettingTypes.DURATION,
            "30s",
            "How often the host name is looked up while a connection is open; 0s: never. If the name has other addresses then, the"
                    + " connection is closed in order and opened again. Each new connection and each reload looks it up, too.");

    @Override
    public String name() {
        return "syslog";
    }

    @Override
    public String help() {
        return "Forwards messages as syslog. Syslog has no acknowledgements: a message counts as delivered when this"
                + " host's kernel has accepted it. Data that a server has not read when it dies is lost.";
    }

    @Override
    public Section settings() {
        return Section.of(
                HOST,
                PORT,
                TRANSPORT,
                FRAMING,
                FORMAT,
                MAX_MESSAGE,
                KEEP_SOURCE,
                KEEP_MNEMONIC,
                CONNECT_TIMEOUT,
                ACK_TIMEOUT,
                RESOLVE,
                TlsOptions.CA_FILE,
                TlsOptions.CERTIFICATE_FILE,
                TlsOptions.KEY_FILE,
                TlsOptions.VERIFY_HOSTNAME);
    }

    @Override
    public boolean takesFormat() {
        return false;
    }

    @Override
    public boolean writesBytes(OutputConfig output) {
        return output.settings().get(FORMAT) == SyslogSinkSettings.Format.RAW;
    }

    @Override
    public BatchSettings batch() {
        return BatchSettings.PROMPT;
    }

    @Override
    public Destination destination(OutputConfig output) {
        Bound settings = output.settings();
        boolean udp = settings.get(TRANSPORT) == SyslogSinkSettings.Transport.UDP;
        return new Destination(settings.get(HOST), settings.get(PORT), udp);
    }

    @Override
    public void check(OutputConfig output, List<Problem> problems) {
        checkTls(output, output.settings().get(TRANSPORT), SyslogSinkSettings.Transport.TLS, problems);
    }

    /** Reports TLS settings of an output with another transport than TLS. */
    public static <T extends Enum<T>> void checkTls(OutputConfig output, T transport, T tls, List<Problem> problems) {
        if (transport != tls) {
            String name = transport.name().toLowerCase(Locale.ROOT);
            TlsOptions.reportUnused(
                    FileProblems.path(output),
                    output.settings(),
                    "transport: tls",
                    "this output sends in plain text, with transport: " + name,
                    problems);
        }
    }

    @Override
    public void checkFiles(OutputConfig output, FileProblems problems) {
        if (output.settings().get(TRANSPORT) == SyslogSinkSettings.Transport.TLS) {
            TlsOptions.checkFiles(output, problems);
        }
    }

    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        return SyslogSink.connect(sinkSettings(output.settings()).timeouts(limit, limit));
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        return new SyslogSink(sinkSettings(output.settings()));
    }

    private static SyslogSinkSettings sinkSettings(Bound settings) {
        return new SyslogSinkSettings(
                settings.get(HOST),
                settings.get(PORT),
                settings.get(TRANSPORT),
                settings.get(FRAMING),
                settings.get(FORMAT),
                settings.get(MAX_MESSAGE).intValue(),
                settings.get(KEEP_SOURCE),
                settings.get(KEEP_MNEMONIC),
                settings.get(CONNECT_TIMEOUT),
                settings.get(ACK_TIMEOUT),
                settings.get(RESOLVE),
                TlsOptions.of(settings));
    }
}
