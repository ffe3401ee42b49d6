package io.millrace.collector;

import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an input of connections, or of Unix datagrams.
 *
 * @param values the values of the settings that are constants here
 * @param tls the certificate of an input on TLS; null for other inputs
 * @param proxies whose connections begin with a header of the PROXY protocol, which is believed
 * @param multiline which lines are one message; null if each is one
 */
public record StreamSettings(
        Settings values,
        @Nullable TlsServerSettings tls,
        List<Network> proxies,
        @Nullable Multiline multiline) {
    /** How messages are delimited. */
    public static final Setting<Framing> FRAMING = Setting.withDefault(
            "framing",
            SettingTypes.oneOf(Framing.class),
            "auto",
            "Where a message ends (TCP, TLS and Unix streams). auto, by message: digits, a space and `<` are an octet"
                    + " count, anything else ends at a line feed or a byte 0. nul: each ends at a byte 0.");

    /** The longest message to keep, in bytes; the minimum is what every receiver of RFC 5424 must take. */
    public static final Setting<Integer> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            SettingTypes.size(480, 128 << 10),
            "64K",
            "Longest message to keep (TCP, TLS, RELP and Unix sockets); longer ones are truncated and marked.");

    /** The connections at a time. */
    public static final Setting<Integer> MAX_CONNECTIONS = Setting.withDefault(
            "maxConnections",
            SettingTypes.integer(1, 1_000_000),
            "10000",
            "Connections at a time (TCP, TLS, RELP and Unix streams); more are refused.");

    /** The same from one source: an IPv4 address or a /64 network of IPv6. */
    public static final Setting<Integer> MAX_CONNECTIONS_PER_SOURCE = Setting.withDefault(
            "maxConnectionsPerSource",
            SettingTypes.integer(1, 1_000_000),
            "1000",
            "The same from one source (TCP, TLS and RELP): an IPv4 address, or a /64 network of IPv6.");

    /** How long a connection may be idle; zero for no limit. */
    public static final Setting<Duration> IDLE_TIMEOUT = Setting.withDefault(
            "idleTimeout",
            SettingTypes.DURATION,
            "0s",
            "Close a connection that has brought nothing for so long (TCP, TLS, RELP and Unix streams); 0s is never.");

    /** The permissions of the socket file of a Unix socket. */
    public static final Setting<Set<PosixFilePermission>> MODE = Setting.withDefault(
            "mode",
            SettingTypes.parsed("MODE", "permissions in octal such as 0660", StreamSettings::mode),
            "0666",
            "Permissions of the socket file (Unix sockets): who may write to it may send.");

    /** The owner of the socket file. */
    public static final Setting<String> OWNER = Setting.optional(
            "owner",
            SettingTypes.TEXT,
            "the service's user",
            "Owner of the socket file (Unix sockets), as USER, USER:GROUP or :GROUP.");

    /** Nothing but defaults. */
    public static final StreamSettings DEFAULT = new StreamSettings(Settings.DEFAULTS, null, List.of(), null);

    /** Checks whether the settings can be combined. */
    public StreamSettings {
        proxies = List.copyOf(proxies);
        Framing framing = values.get(FRAMING);
        if (multiline != null && (framing == Framing.OCTET_COUNTING || framing == Framing.NUL)) {
            throw new SettingException(
                    FRAMING, "accepts newline or auto with multiline, which joins lines, not " + framing);
        }
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    /**
     * The same with another value of a setting.
     *
     * @throws SettingException if the value is invalid
     */
    public <T> StreamSettings with(Setting<T> setting, T value) {
        return new StreamSettings(values.with(setting, value), tls, proxies, multiline);
    }

    /** The same with TLS. */
    public StreamSettings withTls(TlsServerSettings other) {
        return new StreamSettings(values, other, proxies, multiline);
    }

    /** The same with proxies. */
    public StreamSettings withProxies(List<Network> other) {
        return new StreamSettings(values, tls, other, multiline);
    }

    /** The same with messages of several lines. */
    public StreamSettings withMultiline(Multiline other) {
        return new StreamSettings(values, tls, proxies, other);
    }

    private static @Nullable Set<PosixFilePermission> mode(String text) {
        if (!text.matches("0?[0-7]{3}")) {
            return null;
        }
        StringBuilder letters = new StringBuilder();
        for (char digit : text.substring(text.length() - 3).toCharArray()) {
            letters.append((digit & 4) != 0 ? 'r' : '-')
                    .append((digit & 2) != 0 ? 'w' : '-')
                    .append((digit & 1) != 0 ? 'x' : '-');
        }
        return PosixFilePermissions.fromString(letters.toString());
    }

    /** How messages are delimited in a stream of bytes (RFC 6587). */
    public enum Framing {
        /**
         * By message: digits, a space and {@code <} are an octet count, if it is at most 200,000 and a message can begin after it; anything
         * else ends at a line feed or a byte 0.
         */
        AUTO,
        /** A count of bytes and a space before each message. */
        OCTET_COUNTING,
        /** Each message ends at a line feed; a carriage return before it is removed. */
        NEWLINE,
        /** Each message ends at a byte 0. */
        NUL
    }
}
