package io.millrace.app.config;

import io.millrace.collector.Endpoint;
import io.millrace.collector.Framing;
import io.millrace.collector.Network;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.journal.FrameTransport;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The settings of an input that listens on TCP or on a Unix socket. */
final class StreamInputSettings {
    static final Setting<Framing> FRAMING = Setting.withDefault(
            "framing",
            SettingTypes.oneOf(Framing.class),
            "auto",
            "How messages are told apart (TCP, TLS and Unix streams). auto, by message: digits, a space and `<` are an octet"
                    + " count, anything else ends at a line feed or a byte 0. nul: each ends at a byte 0.");

    static final Setting<Integer> MAX_MESSAGE = Setting.withDefault(
            "maxMessage",
            SettingTypes.size(StreamSettings.MIN_MESSAGE_BYTES, StreamSettings.MAX_MESSAGE_BYTES),
            "64K",
            "Longest message to keep (TCP, TLS, RELP and Unix sockets); longer ones are truncated and marked.");

    static final Setting<Integer> MAX_CONNECTIONS = Setting.withDefault(
            "maxConnections",
            SettingTypes.integer(1, StreamSettings.MAX_CONNECTIONS),
            "10000",
            "Connections at a time (TCP, TLS, RELP and Unix streams); more are refused.");

    static final Setting<Integer> MAX_CONNECTIONS_PER_SOURCE = Setting.withDefault(
            "maxConnectionsPerSource",
            SettingTypes.integer(1, StreamSettings.MAX_CONNECTIONS),
            "1000",
            "The same from one source (TCP, TLS and RELP): an IPv4 address, or a /64 network of IPv6.");

    static final Setting<Duration> IDLE_TIMEOUT = Setting.withDefault(
            "idleTimeout",
            SettingTypes.DURATION,
            "0s",
            "Close a connection that has brought nothing for so long (TCP, TLS, RELP and Unix streams); 0s is never.");

    static final Setting<Set<PosixFilePermission>> MODE = Setting.withDefault(
            "mode",
            SettingTypes.parsed("MODE", "permissions in octal such as 0660", StreamInputSettings::mode),
            "0666",
            "Permissions of the socket file (Unix sockets): who may write to it may send.");

    static final Setting<String> OWNER = Setting.optional(
            "owner",
            SettingTypes.TEXT,
            "the service's user",
            "Owner of the socket file (Unix sockets), as USER, USER:GROUP or :GROUP.");

    private static final String OFF = "off";

    static final Setting<List<String>> PROXY_PROTOCOL = Setting.withDefault(
            "proxyProtocol",
            SettingTypes.texts("off, or a list of addresses and networks", StreamInputSettings::checkProxy),
            OFF,
            "Proxies whose connections begin with a PROXY header, version 1 or 2 (TCP, TLS and RELP): the source of a message is the"
                    + " client that it names. A header from another address is part of a message.");

    private static final List<Setting<?>> OF_STREAMS = List.of(MAX_CONNECTIONS, IDLE_TIMEOUT);
    private static final List<Setting<?>> OF_FRAMED = List.of(FRAMING);
    private static final List<Setting<?>> OF_ADDRESSES = List.of(MAX_CONNECTIONS_PER_SOURCE, PROXY_PROTOCOL);
    private static final List<Setting<?>> OF_ALL = List.of(MAX_MESSAGE);
    private static final List<Setting<?>> OF_FILES = List.of(MODE, OWNER);

    private StreamInputSettings() {}

    private static Set<PosixFilePermission> mode(String text) {
        if (!text.matches("0?[0-7]{3}")) {
            throw new IllegalArgumentException("takes permissions in octal such as 0660, not '" + text + "'");
        }
        StringBuilder letters = new StringBuilder();
        for (char digit : text.substring(text.length() - 3).toCharArray()) {
            letters.append((digit & 4) != 0 ? 'r' : '-')
                    .append((digit & 2) != 0 ? 'w' : '-')
                    .append((digit & 1) != 0 ? 'x' : '-');
        }
        return PosixFilePermissions.fromString(letters.toString());
    }

    /** The settings of an input that listens there. */
    static StreamInput of(String name, Endpoint endpoint, Bound input) {
        return new StreamInput(
                name,
                endpoint,
                new StreamSettings(
                        input.get(FRAMING),
                        input.get(MAX_MESSAGE),
                        input.get(MAX_CONNECTIONS),
                        input.get(MAX_CONNECTIONS_PER_SOURCE),
                        input.get(IDLE_TIMEOUT),
                        input.get(MODE),
                        input.find(OWNER),
                        TlsInputSettings.of(input.get(TlsInputSettings.SECTION)),
                        networks(input.get(PROXY_PROTOCOL)),
                        MultilineSettings.of(input.get(MultilineSettings.SECTION))));
    }

    private static void checkProxy(String text) {
        if (!text.equals(OFF)) {
            var unused = Network.parse(text);
        }
    }

    private static List<Network> networks(List<String> texts) {
        return texts.stream()
                .filter(text -> !text.equals(OFF))
                .map(Network::parse)
                .toList();
    }

    /** Reports settings that have no effect where the input listens. */
    static void check(String name, Bound input, List<Problem> problems) {
        InputListen listen = input.get(Config.LISTEN);
        Endpoint endpoint = listen.endpoint();
        boolean connections = endpoint != null && endpoint.isStream();
        boolean addresses = endpoint != null && endpoint.address() != null;
        boolean files = endpoint != null && endpoint.path() != null;
        boolean isTls = endpoint != null && endpoint.transport() == FrameTransport.TLS;
        boolean isRelp = endpoint != null && endpoint.transport() == FrameTransport.RELP;
        String key = Config.INPUTS.key() + "." + name + ".";
        String where = listen.text();
        if (endpoint != null) {
            reportUnused(List.of(Config.GELF_CHUNKS), "udp://", key, where, input, problems);
        }
        MultilineSettings.check(key + MultilineSettings.SECTION.key(), input, connections && !isRelp, where, problems);
        if (!connections || isRelp) {
            reportUnused(OF_FRAMED, "tcp://, tls:// and unix://", key, where, input, problems);
        }
        if (!connections) {
            reportUnused(OF_STREAMS, "tcp://, tls://, relp:// and unix://", key, where, input, problems);
        }
        if (!addresses) {
            reportUnused(OF_ADDRESSES, "tcp://, tls:// and relp://", key, where, input, problems);
        }
        if (endpoint == null) {
            reportUnused(OF_ALL, "tcp://, tls://, relp://, unix:// and unixgram://", key, where, input, problems);
        }
        if (!files) {
            reportUnused(OF_FILES, "unix:// and unixgram://", key, where, input, problems);
        }
        Bound tls = input.get(TlsInputSettings.SECTION);
        String tlsKey = key + TlsInputSettings.SECTION.key();
        boolean hasTls =
                TlsInputSettings.ALL.stream().anyMatch(setting -> tls.mark(setting) != null && !tls.isDefault(setting));
        if (isTls || (isRelp && hasTls)) {
            TlsInputSettings.check(tlsKey, tls, input.mark(), problems);
        } else if (!isRelp) {
            reportUnused(TlsInputSettings.ALL, "tls:// and relp://", tlsKey + ".", where, tls, problems);
        }
    }

    private static void reportUnused(
            List<Setting<?>> settings,
            String forWhat,
            String key,
            String where,
            Bound section,
            List<Problem> problems) {
        for (Setting<?> setting : settings) {
            @Nullable Mark mark = section.mark(setting);
            // What config show prints can be read again.
            if (mark != null && !section.isDefault(setting)) {
                problems.add(Problem.of(
                        mark,
                        key + setting.key(),
                        "takes effect with " + forWhat + " only, and this input listens on " + where));
            }
        }
    }
}
