package io.millrace.app.sink.relp;

import io.millrace.app.config.BatchSettings;
import io.millrace.app.config.Bound;
import io.millrace.app.config.FileProblems;
import io.millrace.app.config.OutputConfig;
import io.millrace.app.config.OutputType;
import io.millrace.app.config.Problem;
import io.millrace.app.config.TlsOptions;
import io.millrace.app.sink.syslog.SyslogOutput;
import io.millrace.app.sink.syslog.SyslogSinkSettings;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** {@code type: relp}. */
public final class RelpOutput implements OutputType {
    /** What RELP is carried over. */
    enum Transport {
        TCP,
        TLS
    }

    static final Setting<Integer> PORT = Setting.withDefault(
            "port", SettingTypes.integer(1, 65_535), "2514", "The port. RELP has no registered one.");

    static final Setting<Transport> TRANSPORT = Setting.withDefault(
            "transport",
            SettingTypes.oneOf(Transport.class),
            "tcp",
            "tcp; tls: with the server's certificate, as `tls=\"on\"` of rsyslog's imrelp.");

    static final Setting<Long> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            SettingTypes.longSize(SyslogSinkSettings.MIN_MAX_MESSAGE, SyslogSinkSettings.MAX_MAX_MESSAGE),
            Integer.toString(SyslogSinkSettings.DEFAULT_MAX_MESSAGE),
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

    @Override
    public String name() {
        return "relp";
    }

    @Override
    public String help() {
        return "Forwards messages over RELP, to rsyslog's imrelp or to another Millrace. A message counts as delivered when"
                + " the server has acknowledged it; the server decides whether it has it on disk then.";
    }

    @Override
    public Section settings() {
        return Section.of(
                SyslogOutput.HOST,
                PORT,
                TRANSPORT,
                SyslogOutput.FORMAT,
                MAX_MESSAGE,
                SyslogOutput.KEEP_SOURCE,
                SyslogOutput.KEEP_MNEMONIC,
                CONNECT_TIMEOUT,
                ACK_TIMEOUT,
                SyslogOutput.RESOLVE,
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
        return output.settings().get(SyslogOutput.FORMAT) == SyslogSinkSettings.Format.RAW;
    }

    @Override
    public BatchSettings batch() {
        return BatchSettings.PROMPT;
    }

    @Override
    public Destination destination(OutputConfig output) {
        return new Destination(
                output.settings().get(SyslogOutput.HOST), output.settings().get(PORT), false);
    }

    @Override
    public void check(OutputConfig output, List<Problem> problems) {
        SyslogOutput.checkTls(output, output.settings().get(TRANSPORT), Transport.TLS, problems);
    }

    @Override
    public void checkFiles(OutputConfig output, FileProblems problems) {
        if (output.settings().get(TRANSPORT) == Transport.TLS) {
            TlsOptions.checkFiles(output, problems);
        }
    }

    @Override
    public String connect(OutputConfig output, Duration limit) throws IOException, InterruptedException {
        // Half of it to connect, and half to open the session.
        Duration half = limit.dividedBy(2);
        return RelpSink.connect(sinkSettings(output.settings()).timeouts(half, half));
    }

    @Override
    public Sink sink(OutputConfig output, ZoneId timeZone) {
        return new RelpSink(sinkSettings(output.settings()));
    }

    private static SyslogSinkSettings sinkSettings(Bound settings) {
        boolean onTls = settings.get(TRANSPORT) == Transport.TLS;
        return new SyslogSinkSettings(
                settings.get(SyslogOutput.HOST),
                settings.get(PORT),
                onTls ? SyslogSinkSettings.Transport.TLS : SyslogSinkSettings.Transport.TCP,
                SyslogSinkSettings.Framing.OCTET_COUNTING,
                settings.get(SyslogOutput.FORMAT),
                settings.get(MAX_MESSAGE).intValue(),
                settings.get(SyslogOutput.KEEP_SOURCE),
                settings.get(SyslogOutput.KEEP_MNEMONIC),
                settings.get(CONNECT_TIMEOUT),
                settings.get(ACK_TIMEOUT),
                settings.get(SyslogOutput.RESOLVE),
                TlsOptions.of(settings));
    }
}
