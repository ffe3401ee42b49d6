package io.millrace.output.internal.forward;

import io.millrace.output.internal.tls.TlsOptions;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.time.Duration;
import java.util.Locale;

/** The settings that syslog and RELP have in common. */
public final class ForwardOptions {
    public static final Setting<String> HOST =
            Setting.required("host", SettingTypes.HOST, "The name or address of the server.");

    public static final SettingType<Integer> PORT = SettingTypes.integer(1, 65_535);

    /** From the length that every receiver must accept (RFC 5424 section 6.1) to the maximum of the usual receivers. */
    public static final SettingType<Integer> MAX_MESSAGE = SettingTypes.size(480, 1 << 20);

    /** The default of rsyslog, which treats the remainder of a longer message as another one. */
    public static final String DEFAULT_MAX_MESSAGE = "8096";

    public static final Setting<Boolean> KEEP_SOURCE = Setting.withDefault(
            "keepSource",
            SettingTypes.SWITCH,
            "off",
            "Adds the source address and the position in the journal as the structured data `millrace@32473`;"
                    + " only with `format: rfc5424`.");

    public static final Setting<Boolean> KEEP_MNEMONIC = Setting.withDefault(
            "keepMnemonic",
            SettingTypes.SWITCH,
            "on",
            "Whether Cisco's mnemonic, such as `%ASA-6-302013:`, stays at the beginning of the text with `format: rfc5424`. It is"
                    + " the APP-NAME in each case.");

    /** By default, a destination that moves is followed within a minute, although a resolver may keep its address. */
    public static final Setting<Duration> RESOLVE = Setting.withDefault(
            "resolve",
            SettingTypes.DURATION,
            "30s",
            "How often the host name is looked up while a connection is open; 0s: never. If the name has other addresses then, the"
                    + " connection is closed in order and opened again. Each new connection and each reload looks it up, too.");

    private ForwardOptions() {}

    /**
     * Checks settings together.
     *
     * @param raw whether messages are sent as they came, and have no place for a source
     * @param transport a constant {@code TLS}, or another one without certificates
     * @throws SettingException if they contradict each other
     */
    public static void check(Settings values, boolean raw, Enum<?> transport) {
        // First, because somebody would think that what is sent is encrypted.
        if (!transport.name().equals("TLS")) {
            TlsOptions.checkUnused(
                    values,
                    "transport: tls",
                    "this output sends in plain text, with transport: "
                            + transport.name().toLowerCase(Locale.ROOT));
        }
        if (raw && values.get(KEEP_SOURCE)) {
            throw new SettingException(
                    KEEP_SOURCE, "accepts true only with the format rfc5424, not true with the format raw");
        }
    }
}
