package io.millrace.app.config;

import io.millrace.collector.Endpoint;
import io.millrace.collector.Network;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.TlsServerSettings;
import io.millrace.journal.FrameTransport;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of an input that listens on TCP or on a Unix socket. */
final class StreamInputSettings {
    private static final String OFF = "off";

    static final Setting<List<String>> PROXY_PROTOCOL = Setting.withDefault(
            "proxyProtocol",
            SettingTypes.texts("off, or a list of addresses and networks", StreamInputSettings::checkProxy),
            OFF,
            "Proxies whose connections begin with a PROXY header, version 1 or 2 (TCP, TLS and RELP): the source of a message is the"
                    + " client that it names. A header from another address is part of a message.");

    private static final List<Setting<?>> OF_STREAMS =
            List.of(StreamSettings.MAX_CONNECTIONS, StreamSettings.IDLE_TIMEOUT);
    private static final List<Setting<?>> OF_FRAMED = List.of(StreamSettings.FRAMING);
    private static final List<Setting<?>> OF_ADDRESSES =
            List.of(StreamSettings.MAX_CONNECTIONS_PER_SOURCE, PROXY_PROTOCOL);
    private static final List<Setting<?>> OF_ALL = List.of(StreamSettings.MAX_MESSAGE);
    private static final List<Setting<?>> OF_FILES = List.of(StreamSettings.MODE, StreamSettings.OWNER);

    private StreamInputSettings() {}

    /** The settings of an input that listens there. */
    static StreamInput of(String name, Endpoint endpoint, Bound input) {
        return new StreamInput(
                name,
                endpoint,
                new StreamSettings(
                        input.settings(),
                        TlsServerSettings.of(input.settings()),
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
        boolean hasTls = TlsServerSettings.ALL.stream()
                .anyMatch(setting -> tls.mark(setting) != null && !tls.isDefault(setting));
        if (isTls || (isRelp && hasTls)) {
            TlsInputSettings.check(tlsKey, tls, input.mark(), problems);
        } else if (!isRelp) {
            reportUnused(TlsServerSettings.ALL, "tls:// and relp://", tlsKey + ".", where, tls, problems);
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
