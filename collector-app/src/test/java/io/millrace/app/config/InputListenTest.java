package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.collector.StreamSettings.Framing;
import io.millrace.collector.TlsServerSettings;
import io.millrace.collector.TlsServerSettings.AllowedPeer;
import io.millrace.collector.TlsServerSettings.ClientAuth;
import io.millrace.journal.FrameTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where inputs listen, and what they take there. */
class InputListenTest {
    @TempDir
    private Path directory;

    private Config load(String yaml) throws IOException {
        Path file = Files.writeString(directory.resolve("m.yaml"), yaml);
        return new ConfigLoader(new OutputTypes(List.of()), Map.of()).load(file, new Overrides());
    }

    @Test
    void addressesAndPaths() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 514);
        assertThat(ConfigTypes.LISTEN.parse("127.0.0.1:514").udp()).isEqualTo(address);
        assertThat(ConfigTypes.LISTEN.parse("udp://127.0.0.1:514").udp()).isEqualTo(address);
        InputListen tcp = ConfigTypes.LISTEN.parse("tcp://127.0.0.1:514");
        assertThat(tcp.udp()).isNull();
        assertThat(tcp.endpoint()).hasToString("tcp://127.0.0.1:514");
        assertThat(ConfigTypes.LISTEN.parse("unix:///run/log").endpoint()).hasToString("unix:///run/log");
        assertThat(ConfigTypes.LISTEN.parse("unixgram:///run/log").endpoint())
                .matches(it -> it.transport() == FrameTransport.UNIX_DATAGRAM && !it.isStream());
        assertThat(ConfigTypes.LISTEN.parse("relp://127.0.0.1:514").endpoint())
                .matches(it -> it.transport() == FrameTransport.RELP && it.isStream())
                .hasToString("relp://127.0.0.1:514");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"tcp://5514", "tls://6514", "relp://20514", "http://127.0.0.1:20514", "tcp://", "unix", "udp:/a"
            })
    void othersAreNotTaken(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigTypes.LISTEN.parse(text))
                .withMessageContaining("tcp://HOST:PORT")
                .withMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({"unix://run/log,absolute path", "unix:///,absolute path", "unixgram://,absolute path"})
    void pathsAreAbsolute(String text, String takes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigTypes.LISTEN.parse(text))
                .withMessageContaining(takes);
    }

    @ParameterizedTest
    @CsvSource({"unix:/run/log,unix:///run/log", "unixgram:log,unixgram:///log", "/run/log,unix:///run/log"})
    void pathHasASchemeWithThreeSlashes(String text, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigTypes.LISTEN.parse(text))
                .withMessageContaining("did you mean " + meant + "?");
    }

    @Test
    void pathHasALimit() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConfigTypes.LISTEN.parse("unix:///" + "x".repeat(107)))
                .withMessageContaining("107 bytes");
    }

    @Test
    void parsesStreamSettings() throws IOException {
        Config config = load("""
                inputs:
                  plain: {listen: "127.0.0.1:514"}
                  tcp:
                    listen: "tcp://127.0.0.1:514"
                    framing: octet-counting
                    maxMessage: 8K
                    maxConnections: 20
                    maxConnectionsPerSource: 3
                    idleTimeout: 5m
                  log: {listen: "unixgram:///run/log", mode: "0640", owner: "root:adm"}
                """);
        assertThat(config.inputs()).singleElement().matches(it -> it.name().equals("plain"));
        assertThat(config.streams()).extracting(StreamInput::name).containsExactly("tcp", "log");
        assertThat(config.streams().get(0).settings())
                .matches(it -> it.get(StreamSettings.FRAMING) == Framing.OCTET_COUNTING
                        && it.get(StreamSettings.MAX_MESSAGE) == 8192
                        && it.get(StreamSettings.MAX_CONNECTIONS) == 20
                        && it.get(StreamSettings.MAX_CONNECTIONS_PER_SOURCE) == 3
                        && it.get(StreamSettings.IDLE_TIMEOUT).equals(Duration.ofMinutes(5)));
        assertThat(config.streams().get(1).settings())
                .matches(it -> it.get(StreamSettings.MODE).equals(PosixFilePermissions.fromString("rw-r-----"))
                        && "root:adm".equals(it.get(StreamSettings.OWNER)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listen: '127.0.0.1:1', framing: nul|inputs.a.framing takes effect with tcp://, tls:// and unix:// only, and this input listens on 127.0.0.1:1",
                "listen: 'tcp://127.0.0.1:1', gelfChunks: on|inputs.a.gelfChunks takes effect with udp:// only, and this input listens on tcp://127.0.0.1:1",
                "listen: 'unixgram:///x', maxConnections: 1|inputs.a.maxConnections takes effect with tcp://, tls://, relp:// and unix:// only",
                "listen: 'tcp://127.0.0.1:1', mode: '0600'|inputs.a.mode takes effect with unix:// and unixgram:// only",
                "listen: 'tcp://127.0.0.1:1', framing: lines|inputs.a.framing accepts auto, octet-counting, newline or nul",
                "listen: 'tcp://127.0.0.1:1', maxMessage: 1M|inputs.a.maxMessage accepts a size",
                "listen: 'tls://127.0.0.1:1'|inputs.a.tls.certificateFile is missing: an input on TLS needs it",
                "listen: 'tls://127.0.0.1:1', tls: {certificateFile: /c}|inputs.a.tls.keyFile is missing",
                "listen: 'tcp://127.0.0.1:1', tls: {certificateFile: /c}|inputs.a.tls.certificateFile takes effect with tls:// and relp:// only",
                "listen: 'tcp://127.0.0.1:1', tls: {clientAuth: required}|inputs.a.tls.clientAuth takes effect with tls:// and relp:// only",
                "listen: 'udp://127.0.0.1:1', tls: {allowedPeers: [web1]}|inputs.a.tls.allowedPeers takes effect with tls:// and relp:// only",
                "listen: 'tls://127.0.0.1:1', tls: {certificateFile: /c, keyFile: /k, clientAuth: required}|inputs.a.tls.clientAuth: needs clientCaFile",
                "listen: 'tls://127.0.0.1:1', tls: {certificateFile: /c, keyFile: /k, allowedPeers: [a]}|allowedPeers takes effect with clientAuth",
                "listen: 'tls://127.0.0.1:1', tls: {certificateFile: /c, keyFile: /k, allowedPeers: ['SHA256:12']}|accepts 32 bytes in hexadecimal",
                "listen: 'tcp://127.0.0.1:1', proxyProtocol: [proxy]|inputs.a.proxyProtocol accepts off, or a list of addresses and networks, not 'proxy'",
                "listen: 'unix:///x', proxyProtocol: 10.0.0.1|inputs.a.proxyProtocol takes effect with tcp://, tls:// and relp:// only",
                "listen: 'relp://127.0.0.1:1', framing: nul|inputs.a.framing takes effect with tcp://, tls:// and unix:// only",
                "listen: 'relp://127.0.0.1:1', tls: {keyFile: /k}|inputs.a.tls.certificateFile is missing: an input on TLS needs it",
                "listen: 'relp://127.0.0.1:1', tls: {clientAuth: required}|inputs.a.tls.certificateFile is missing",
                "listen: 'unix:///x', mode: '999'|inputs.a.mode accepts permissions in octal",
            })
    void wrongSettingsAreNamed(String input, String message) {
        assertThatThrownBy(() -> load("inputs:\n  a: {" + input + "}\n"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void settingsOfTls() throws IOException {
        Config config = load("""
                inputs:
                  secure:
                    listen: "tls://127.0.0.1:6514"
                    proxyProtocol: [127.0.0.1, 10.0.0.0/8]
                    tls:
                      certificateFile: /etc/c.pem
                      keyFile: /etc/k.pem
                      clientAuth: required
                      clientCaFile: /etc/ca.pem
                      allowedPeers: ["*.example.com", "SHA256:%s"]
                """.formatted("AB".repeat(32)));
        StreamSettings settings = config.streams().get(0).settings();
        assertThat(settings.proxies()).hasSize(2);
        assertThat(settings.tls())
                .isEqualTo(new TlsServerSettings(
                        Path.of("/etc/c.pem"),
                        Path.of("/etc/k.pem"),
                        Path.of("/etc/ca.pem"),
                        ClientAuth.REQUIRED,
                        List.of(AllowedPeer.parse("*.example.com"), AllowedPeer.parse("sha256:" + "ab".repeat(32))),
                        Duration.ofSeconds(10)));
        assertThat(load("inputs:\n  a: {listen: 'tcp://127.0.0.1:1', proxyProtocol: off}\n")
                        .streams()
                        .get(0)
                        .settings()
                        .proxies())
                .isEmpty();
    }

    /** Also as {@code config show} prints it, with every default. */
    @Test
    void relpWithAndWithoutTls() throws IOException {
        Config config = load("""
                inputs:
                  plain: {listen: 'relp://127.0.0.1:1', framing: auto, tls: {clientAuth: none, handshakeTimeout: 10s}}
                  secure: {listen: 'relp://127.0.0.1:2', tls: {certificateFile: /c, keyFile: /k}}
                """);
        assertThat(config.streams().get(0).settings().tls()).isNull();
        assertThat(config.streams().get(1).settings().tls()).isNotNull();
    }

    @Test
    void twoInputsCannotHaveTheSamePlace() {
        assertThatThrownBy(() -> load("""
                        inputs:
                          a: {listen: 'tcp://127.0.0.1:1'}
                          b: {listen: 'tls://127.0.0.1:1', tls: {certificateFile: /c, keyFile: /k}}
                        """)).hasMessageContaining("input 'a' in line 2 listens there too");
        assertThatThrownBy(() -> load("inputs:\n  a: {listen: 'unix:///x'}\n  b: {listen: 'unixgram:///x'}\n"))
                .hasMessageContaining("input 'a' in line 2 listens there too");
    }

    @Test
    void udpAndTcpCanHaveTheSamePort() throws IOException {
        Config config = load("inputs:\n  a: {listen: '127.0.0.1:7'}\n  b: {listen: 'tcp://127.0.0.1:7'}\n");
        assertThat(config.inputs()).hasSize(1);
        assertThat(config.streams()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:7, 127.0.0.1:7, ': 0.0.0.0 is every IPv4 address of this host'",
        "127.0.0.1:7, 0.0.0.0:7, ': 0.0.0.0 is every IPv4 address of this host'",
        "[::]:7, 127.0.0.1:7, ': [::] is every address of this host, IPv4 included'",
        "[::1]:7, [::]:7, ': [::] is every address of this host, IPv4 included'",
        "tcp://0.0.0.0:7, relp://127.0.0.1:7, ': 0.0.0.0 is every IPv4 address of this host'",
        "tcp://[::]:7, tcp://0.0.0.0:7, ': 0.0.0.0 is every IPv4 address of this host, and [::] is every address of this host,'"
    })
    void overlappingAddressesNameBothLines(String one, String other, String why) {
        assertThatThrownBy(() -> load("inputs:\n  a: {listen: '" + one + "'}\n  b: {listen: '" + other + "'}\n"))
                .hasMessageContaining(
                        "m.yaml:3:15: inputs.b.listen requires an address of its own, and input 'a' in line 2"
                                + " listens there too" + why);
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0:7, 127.0.0.1:8",
        "0.0.0.0:7, [::1]:7",
        "127.0.0.1:7, 127.0.0.2:7",
        "0.0.0.0:7, tcp://127.0.0.1:7",
        "0.0.0.0:0, 127.0.0.1:0",
        "tcp://0.0.0.0:7, unix:///run/log"
    })
    void othersDoNotOverlap(String one, String other) throws IOException {
        Config config = load("inputs:\n  a: {listen: '" + one + "'}\n  b: {listen: '" + other + "'}\n");
        assertThat(config.inputs().size() + config.streams().size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        ":7, 'for all addresses [::]:7, or 0.0.0.0:7 without IPv6; for this host alone 127.0.0.1:7'",
        "tcp://*:7, 'for all addresses [::]:7, or 0.0.0.0:7 without IPv6; for this host alone 127.0.0.1:7'",
        "127.0.0.1:70000, a port is at most 65535",
    })
    void addressThatMeansOneThingToPeopleAndAnotherToJavaIsRefused(String listen, String message) {
        assertThatThrownBy(() -> load("inputs:\n  a: {listen: '" + listen + "'}\n"))
                .hasMessageContaining(message);
    }

    @Test
    void adminHttpHasAnAddressOfItsOwn() throws IOException {
        assertThatThrownBy(() -> load("inputs:\n  a: {listen: 'tcp://0.0.0.0:7'}\nadmin: {listen: '127.0.0.1:7'}\n"))
                .hasMessageContaining(
                        "m.yaml:2:15: inputs.a.listen requires an address of its own, and admin HTTP listens on 127.0.0.1:7 too");
        assertThat(load("inputs:\n  a: {listen: '0.0.0.0:7'}\nadmin: {listen: '127.0.0.1:7'}\n")
                        .inputs())
                .hasSize(1);
    }
}
