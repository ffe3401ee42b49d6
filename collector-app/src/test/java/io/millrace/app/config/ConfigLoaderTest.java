package io.millrace.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Multiline;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SilenceRules;
import io.millrace.collector.Threading;
import io.millrace.internal.policy.Policy;
import io.millrace.message.InputRules;
import io.millrace.message.TextCharset;
import io.millrace.output.BatchSettings;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import io.millrace.sink.Sink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read of right files, substitution, flags over the file, and what is shown. */
class ConfigLoaderTest {
    /** An output with settings of every shape. */
    private static final class Queue extends OutputSettings {
        private static final Setting<List<String>> SERVERS =
                Setting.required("servers", SettingTypes.TEXTS, "Where the queue is.");
        private static final Setting<String> PASSWORD =
                Setting.optional("password", SettingTypes.SECRET, "none", "The password.");
        private static final Setting<Map<String, String>> PROPERTIES =
                Setting.withDefault("properties", SettingTypes.TEXT_BY_NAME, "", "Passed on.");
        private static final Setting<Long> SPOOL =
                Setting.withDefault("spool", SettingTypes.longSize(0, Long.MAX_VALUE), "1G", "Most bytes.");
        private static final Setting<Integer> BATCH =
                Setting.withDefault("batch", SettingTypes.integer(1, 10), "5", "Messages at once.");

        static final OutputType TYPE = new OutputType(
                "queue",
                "To a queue.",
                List.of(OutputSettings.FORMAT, SERVERS, PASSWORD, PROPERTIES, SPOOL, BATCH),
                BatchSettings.LARGE,
                Queue::new);

        Queue(Settings values) {
            super(TYPE, values);
        }

        @Override
        public Sink sink(String output) {
            throw new UnsupportedOperationException();
        }
    }

    private static final OutputTypes TYPES = new OutputTypes(List.of(Queue.TYPE));

    @TempDir
    private Path directory;

    private Config load(Map<String, String> environment, Overrides overrides, String... lines) throws IOException {
        Path file = Files.writeString(directory.resolve("m.yaml"), String.join("\n", lines));
        return new ConfigLoader(TYPES, environment, new Secrets()).load(file, overrides);
    }

    private Config load(String... lines) throws IOException {
        return load(Map.of("WHERE", "/var", "NOTHING", ""), new Overrides(), lines);
    }

    private List<String> problems(String... lines) {
        try {
            load(lines);
            return List.of();
        } catch (ConfigException e) {
            return e.problems().stream()
                    .map(it -> it.toString().replace(directory + "/", ""))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void emptyOrMissingFileGivesTheDefaults() throws IOException {
        for (Config config : List.of(
                load(""),
                load("# nothing", "receive:"),
                new ConfigLoader(TYPES, Map.of()).load(null, new Overrides()))) {
            assertThat(config.data()).isEqualTo(Path.of("data"));
            assertThat(config.inputs()).singleElement().satisfies(it -> {
                assertThat(it.name()).isEqualTo(ListenAddress.defaultText());
                assertThat(it.address().getPort()).isEqualTo(5514);
            });
            assertThat(config.receive().get(CollectorSettings.RECEIVE_BUFFER)).isEqualTo(64 << 20);
            assertThat(config.receive().get(CollectorSettings.MAX_DATAGRAM)).isEqualTo(65_507);
            assertThat(config.receive().get(CollectorSettings.RECEIVERS)).isZero();
            assertThat(config.receive().mark(CollectorSettings.RECEIVERS)).isNull();
            assertThat(config.outputs()).isEmpty();
            assertThat(config.admin()).isNotNull().matches(it -> it.address().getPort() == 9514);
            assertThat(config.timeZone()).isEqualTo(ZoneId.systemDefault());
        }
    }

    @Test
    void readsThePolicy() throws IOException {
        Config config = load(
                "policy:",
                "  allow: [10.0.0.0/8, '2001:db8::/32']",
                "  deny: 10.6.6.0/24, 10.7.0.1",
                "  perSource: {datagrams: 2k}",
                "  perNetwork: {bytes: 10M, ipv4Bits: 16}");
        PolicySettings policy = PolicyConfig.settings(config.policy(), Map.of());
        assertThat(policy.networks()).isNotNull();
        assertThat(policy.networks().othersAllowed()).isFalse();
        assertThat(policy.networks().allows(false, 0x0a060601L << 32, 0)).isFalse();
        assertThat(policy.networks().allows(false, 0x0a080000L << 32, 0)).isTrue();
        assertThat(policy.perSource()).isEqualTo(new RateLimit(2000, 0));
        assertThat(policy.perNetwork()).isEqualTo(new RateLimit(0, 10 << 20));
        assertThat(policy.ipv4Bits()).isEqualTo(16);
        assertThat(policy.ipv6Bits()).isEqualTo(64);
    }

    @Test
    void differencesAreSettingsWithAnotherValue() throws IOException {
        Config one = load("inputs:", "  a: {listen: '127.0.0.1:1'}", "policy: {deny: [10.0.0.0/8]}");
        Config moved = load("policy:", "  deny:", "    - 10.0.0.0/8", "inputs:", "  a:", "    listen: 127.0.0.1:1");
        assertThat(one.all().saysTheSameAs(moved.all())).isTrue();
        Config other = load("inputs:", "  a: {listen: '127.0.0.1:2'}", "policy: {deny: [10.0.0.0/9]}");
        assertThat(one.policy().saysTheSameAs(other.policy())).isFalse();
        assertThat(one.needsRestart(other)).containsExactly("inputs");
        assertThat(one.needsRestart(load("receive: {receivers: 2}"))).containsExactly("inputs", "receive");
    }

    @Test
    void problemIsOneLine() {
        assertThat(problems("timeZone: \"Mars\\n\\e[31mX\\u2028\""))
                .containsExactly(
                        "m.yaml:1:11: timeZone accepts a time zone such as UTC, Europe/Berlin or +02:00, not 'Mars\\n\\u001b[31mX\\u2028'");
    }

    @Test
    void missingPolicyAllowsEverything() throws IOException {
        PolicySettings policy =
                PolicyConfig.settings(load("policy:", "  perSource:").policy(), Map.of());
        assertThat(Policy.of(policy)).isSameAs(Policy.NONE);
    }

    @Test
    void policyProblemsHaveTheirPlace() {
        assertThat(problems(
                        "policy:",
                        "  allow: [10.0.0.0/8,",
                        "          10.1.2.3/8]",
                        "  deny: example.com",
                        "  perSource: {datagrams: 0}",
                        "  perNetwork: {ipv4Bits: 33}"))
                .satisfiesExactly(
                        it -> assertThat(it)
                                .startsWith("m.yaml:3:11: policy.allow accepts a list of addresses and networks")
                                .endsWith(
                                        "not '10.1.2.3/8': bits are set behind the first 8: the network is 10.0.0.0/8"),
                        it -> assertThat(it)
                                .startsWith("m.yaml:4:9: policy.deny accepts")
                                .contains("not 'example.com'"),
                        it -> assertThat(it).startsWith("m.yaml:5:26: policy.perSource.datagrams accepts a rate"),
                        it -> assertThat(it)
                                .startsWith("m.yaml:6:26: policy.perNetwork.ipv4Bits accepts a whole number"));
        assertThat(problems("policy: {allow: 10.0.0.0/8, deny: 10.0.0.0/8}"))
                .singleElement()
                .asString()
                .startsWith("m.yaml:1:35: policy.deny: allow and deny accept a network once, not 10.0.0.0/8 in both");
    }

    @Test
    void readsEverySetting() throws IOException {
        Config config = load(
                "data: /var/lib/m",
                "inputs: {a: {listen: '127.0.0.1:1'}, b: {listen: '[::1]:2'}}",
                "receive:",
                "  receivers: 3",
                "  threading: Dedicated",
                "  busyPoll: true",
                "  receiverCpus: 0-1",
                "  receiveBuffer: 1 MiB",
                "  stopLinger: 1d",
                "outputs:",
                "  q:",
                "    type: queue",
                "    servers: [one, two]",
                "    from: 2026-11-21T08:30:00Z",
                "    format: '{message}'",
                "    where: severity <= err",
                "    properties: {a.b: c}",
                "    spool: 5T",
                "admin: {listen: off}",
                "timeZone: UTC");
        assertThat(config.inputs()).extracting(it -> it.name()).containsExactly("a", "b");
        assertThat(config.receive().get(CollectorSettings.RECEIVERS)).isEqualTo(3);
        assertThat(config.receive().get(CollectorSettings.THREADING)).isEqualTo(Threading.DEDICATED);
        assertThat(config.receive().get(CollectorSettings.BUSY_POLL)).isTrue();
        assertThat(config.receive().get(CollectorSettings.RECEIVER_CPUS).cpus()).containsExactly(0, 1);
        assertThat(config.receive().get(CollectorSettings.RECEIVE_BUFFER)).isEqualTo(1 << 20);
        assertThat(config.receive().get(CollectorSettings.STOP_LINGER)).isEqualTo(Duration.ofDays(1));
        assertThat(config.admin()).isNull();
        OutputConfig output = config.outputs().get(0);
        assertThat(output.type()).isSameAs(Queue.TYPE);
        assertThat(output.mark().line()).isEqualTo(11);
        Bound settings = output.settings();
        assertThat(settings.get(Queue.SERVERS)).containsExactly("one", "two");
        assertThat(settings.find(Queue.PASSWORD)).isNull();
        assertThat(settings.get(Queue.PROPERTIES)).containsExactly(Map.entry("a.b", "c"));
        assertThat(settings.get(Queue.SPOOL)).isEqualTo(5L << 40);
        assertThat(settings.get(Queue.BATCH)).isEqualTo(5);
        assertThat(settings.get(OutputOptions.FROM)).hasToString("2026-11-21T08:30:00Z");
        assertThat(settings.find(OutputOptions.WHERE)).isNotNull();
    }

    @Test
    void silentAfterTakesANumberOrATime() throws IOException {
        assertThat(load("sources: {silentAfter: 10m}").sources().get(SilenceLimit.SETTING))
                .isEqualTo(SilenceLimit.time(Duration.ofMinutes(10)));
        assertThat(load("sources: {silentAfter: 5}").sources().get(SilenceLimit.SETTING))
                .isEqualTo(SilenceLimit.times(5));
        assertThat(load("").sources().get(SilenceLimit.SETTING)).isEqualTo(SilenceLimit.times(3));
    }

    @Test
    void groupsOfSourcesHaveLimitsOfTheirOwn() throws IOException {
        SilenceRules rules = SourcesSettings.rules(load(
                        "sources:",
                        "  groups:",
                        "    core: {networks: [192.0.2.1, '2001:db8::/32'], silentAfter: 2m}",
                        "    lab: {hosts: ['lab-*'], silentAfter: never}")
                .sources());
        assertThat(rules.others()).isEqualTo(SilenceLimit.times(3));
        assertThat(rules.groups())
                .extracting(SilenceRules.Group::limit)
                .containsExactly(SilenceLimit.time(Duration.ofMinutes(2)), SilenceLimit.NEVER);
        assertThat(rules.groups().get(0).networks()).hasToString("[192.0.2.1, 2001:db8::/32]");
        assertThat(problems("sources: {groups: {a: {silentAfter: never}}}"))
                .singleElement()
                .asString()
                .contains("sources.groups.a accepts networks, hosts, or both: it has no sources");
        assertThat(problems("sources: {groups: {a: {networks: [fw1], silentAfter: never}}}"))
                .singleElement()
                .asString()
                .contains("sources.groups.a.networks");
        assertThat(problems("sources: {groups: {a: {hosts: [fw1], silentAfter: often}}}"))
                .singleElement()
                .asString()
                .contains("from 10s to 6d, or never, not 'often'");
    }

    @Test
    void shownEditsMeanTheSame() throws IOException {
        Config config = load(
                "outputs:",
                "  a:",
                "    type: queue",
                "    servers: x",
                "    edit:",
                "      - redact: {pattern: 'it''s: \"(a|b),\\s$', with: '$1, {x}', field: message}",
                "      - redact: {preset: secrets}");
        assertThat(config.outputs().get(0).settings().get(OutputOptions.EDIT)).hasSize(2);
        Config again = load(ConfigText.of(config).split("\n"));
        Bound settings = again.outputs().get(0).settings();
        assertThat(settings.saysTheSame(
                        OutputOptions.EDIT, config.outputs().get(0).settings()))
                .isTrue();
    }

    @Test
    void inputOverridesRules() throws IOException {
        Config config = load(
                "inputs:",
                "  a: {listen: '127.0.0.1:1', timeZone: Asia/Tokyo}",
                "  b: {listen: '127.0.0.1:2', splitLines: on}",
                "  c: {listen: '127.0.0.1:3', maxExpanded: 1M}",
                "  d: {listen: '127.0.0.1:4', charset: GBK}",
                "outputs: {q: {type: queue, servers: [a], fields: on}}",
                "timeZone: UTC");
        assertThat(config.inputRules())
                .containsOnly(
                        Map.entry("a", new InputRules(ZoneId.of("Asia/Tokyo"), false)),
                        Map.entry("b", new InputRules(ZoneId.of("UTC"), true, 64 << 10)),
                        Map.entry("c", new InputRules(ZoneId.of("UTC"), false, 1 << 20)),
                        Map.entry("d", new InputRules(ZoneId.of("UTC"), false, 64 << 10, new TextCharset("gbk"))));
        assertThat(OutputOptions.fields(config.outputs().get(0))).isTrue();
    }

    @Test
    void inputJoinsLines() throws IOException {
        Config config = load(
                "inputs:",
                "  a: {listen: 'tcp://127.0.0.1:1', multiline: {startsWith: '<\\d+>', timeout: 3s}}",
                "  b: {listen: 'tcp://127.0.0.1:2'}");
        assertThat(config.streams())
                .extracting(input -> input.settings().multiline())
                .containsExactly(new Multiline("<\\d+>", (bytes, begin, end) -> true, Duration.ofSeconds(3)), null);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'tcp://127.0.0.1:1', multiline: {startsWith: '('}; multiline.startsWith: a regular expression in RE2 syntax belongs here",
                "'tcp://127.0.0.1:1', multiline: {startsWith: a, timeout: 2m}; multiline.timeout accepts a time from 1s to 1m",
                "'tcp://127.0.0.1:1', multiline: {timeout: 2s}; multiline.timeout takes effect with startsWith only",
                "'tcp://127.0.0.1:1', framing: nul, multiline: {startsWith: a}; multiline: joins lines, so framing accepts newline or auto",
                "'tcp://127.0.0.1:1', splitLines: on, multiline: {startsWith: a}; multiline: joins lines, and splitLines takes them apart",
                "'127.0.0.1:1', multiline: {startsWith: a}; multiline takes effect with tcp://, tls:// and unix:// only",
                "'relp://127.0.0.1:1', multiline: {startsWith: a}; multiline takes effect with tcp://, tls:// and unix:// only",
            })
    void rejectsLinesThatCannotBeJoined(String input, String problem) {
        assertThat(problems("inputs: {a: {listen: " + input + "}}"))
                .singleElement()
                .asString()
                .contains("inputs.a." + problem);
    }

    @Test
    void unknownCharsetIsAnErrorWithAChoice() {
        assertThat(problems("inputs: {a: {listen: '127.0.0.1:1', charset: utf8mb4}}"))
                .singleElement()
                .asString()
                .contains("inputs.a.charset")
                .contains(
                        "accepts auto, utf-8, or another charset such as latin-1, windows-1252, gbk or shift_jis, not 'utf8mb4'");
    }

    @Test
    void reportsInvalidElementsOfListsAndMappings() {
        assertThat(problems(
                        "outputs:",
                        "  q:",
                        "    type: queue",
                        "    servers: [a, {b: c}]",
                        "    properties: {x: [1], y: 1, y: 2}",
                        "    batch: 11",
                        "    spool: 9E",
                        "  r: {type: queue, servers: []}",
                        "  s: {type: queue}"))
                .containsExactly(
                        "m.yaml:4:18: outputs.q.servers accepts a list of texts; a mapping is no item",
                        "m.yaml:5:21: outputs.q.properties accepts a text for 'x', not a list",
                        "m.yaml:5:32: outputs.q.properties: 'y' is there twice",
                        "m.yaml:6:12: outputs.q.batch accepts a whole number from 1 to 10, not '11'",
                        "m.yaml:7:12: outputs.q.spool accepts a size such as 64M, from 0 bytes to 8 EiB, not '9E'",
                        "m.yaml:8:29: outputs.r.servers accepts a list of texts, not an empty list",
                        "m.yaml:9:3: outputs.s.servers is missing; accepts a list of texts");
    }

    @Test
    void substitutesVariablesAndFiles() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "12345\r\n");
        Config config = load(
                "data: ${WHERE}/${NOTHING:-empty}/${NONE:-a${WHERE}{b}}/$$x/$y",
                "receive: {receiveBuffer: '${file:" + secret + "}'}");
        assertThat(config.data()).isEqualTo(Path.of("/var/empty/a/var{b}/$x/$y"));
        assertThat(config.receive().get(CollectorSettings.RECEIVE_BUFFER)).isEqualTo(12_345);
    }

    @Test
    void substitutedTextCannotChangeTheStructure() throws IOException {
        Config config = load(
                Map.of("EVIL", "x\nadmin: {listen: off}"), new Overrides(), "data: ${EVIL}", "timeZone: ${NONE:-UTC}");
        assertThat(config.data()).isEqualTo(Path.of("x\nadmin: {listen: off}"));
        assertThat(config.admin()).isNotNull();
    }

    @Test
    void reportsFailedSubstitutions() throws IOException {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff});
        assertThat(problems(
                        "data: ${NONE}",
                        "timeZone: ${not a name}",
                        "admin: {listen: '${file:/not/there}'}",
                        "inputs: {a: {listen: '${WHERE'}, b: {listen: '${file:here}'}, c: {listen: '${file:" + binary
                                + "}'}}"))
                .satisfiesExactly(
                        it -> assertThat(it)
                                .isEqualTo(
                                        "m.yaml:1:7: the environment variable NONE is not set; ${NONE:-default} would"
                                                + " take a default"),
                        it -> assertThat(it).contains("m.yaml:2:11: '${not a name}' is not ${NAME}"),
                        it -> assertThat(it).isEqualTo("m.yaml:3:17: the file /not/there is not there"),
                        it -> assertThat(it).contains("m.yaml:4:22: '${' without its '}'"),
                        it -> assertThat(it).contains("accepts an absolute path"),
                        it -> assertThat(it).contains("is not UTF-8"));
    }

    @Test
    void secretsAreNeverPrinted() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "hunter2\n");
        assertThat(problems("receive: {receiveBuffer: '${file:" + secret + "}'}", "admin: '${file:" + secret + "}'"))
                .containsExactly(
                        "m.yaml:1:26: receive.receiveBuffer accepts a size such as 64M, from 4 KiB to 1 GiB; what is given is not"
                                + " shown",
                        "m.yaml:2:8: admin accepts a mapping of settings such as listen, not a text");
        Config config = load(
                "data: ${file:" + secret + "}",
                "outputs:",
                "  q:",
                "    type: queue",
                "    servers: ['${file:" + secret + "}']",
                "    password: hunter2",
                "    properties: {ssl.key.password: hunter2, sasl.jaas.config: hunter2, acks: all}",
                "    edit: [{redact: {preset: ip-addresses, key: hunter2-0123456789, field: message}}]");
        assertThat(config.outputs().get(0).settings().get(Queue.PASSWORD)).isEqualTo("hunter2");
        String shown = ConfigText.of(config);
        assertThat(shown)
                .doesNotContain("hunter2")
                .contains("data: '***'", "password: '***'", "ssl.key.password: '***'", "acks: all", "- '***'")
                .contains("- {redact: {preset: ip-addresses, key: '***', field: message}}");
        assertThat(load(shown.replace("key: '***'", "key: '${file:" + secret + "}-0123456789'"))
                        .outputs())
                .hasSize(1);
    }

    /** In errors of servers, for example, which repeat what they were sent. */
    @Test
    void secretsOfAnInvalidConfigurationAreRegistered() throws IOException {
        Path secret = Files.writeString(directory.resolve("secret"), "from-file\n");
        Secrets known = new Secrets();
        Path file = Files.writeString(
                directory.resolve("m.yaml"),
                String.join(
                        "\n",
                        "data: /var/${PLAIN}/${file:" + secret + "}",
                        "outputs:",
                        "  q:",
                        "    type: queue",
                        "    servers: [literal-server]",
                        "    password: x-${SECRET}",
                        "    properties: {ssl.key.password: literal-key, acks: literal-acks, n: {sasl.jaas.config: 1}}",
                        "    edit: [{redact: {preset: ip-addresses, key: 'x-${PSEUDONYMS}', fild: message}}]",
                        "wrong: setting"));
        ConfigLoader loader = new ConfigLoader(
                TYPES,
                Map.of(
                        "PLAIN",
                        "from-environment",
                        "SECRET",
                        "secret-from-environment",
                        "PSEUDONYMS",
                        "key-of-pseudonyms"),
                known);
        assertThatThrownBy(() -> loader.load(file, new Overrides())).isInstanceOf(ConfigException.class);
        assertThat(known.redact("from-file secret-from-environment literal-key key-of-pseudonyms"))
                .isEqualTo("*** *** *** ***");
        assertThat(known.redact("from-environment literal-server literal-acks"))
                .isEqualTo("from-environment literal-server literal-acks");
    }

    @Test
    void userQueryAndSubstitutedPartsOfAUrlAreSecret() {
        Secrets known = new Secrets();
        String url = "https://me01:word01@logs.example.com/hook/t0ken/in?key=k3yvalue&more=1#fr4gment";
        Tree.Scalar scalar = new Tree.Scalar(Mark.of("m"), url, false, false, List.of("t0ken", "logs.example.com"));
        TreeBinding.secrets(SettingTypes.URL, scalar, known::add);
        assertThat(known.redact("me01 word01 t0ken k3yvalue fr4gment")).isEqualTo("*** *** *** *** ***");
        assertThat(known.redact("logs.example.com/hook/in")).isEqualTo("logs.example.com/hook/in");
    }

    @Test
    void shownConfigurationIsEquivalent() throws IOException {
        String shown = ConfigText.of(
                load(
                        "data: \"/a b/$$HOME/\\u00fc\\t'\\\"\\u0085\"",
                        "inputs: {'[::]:5514': {listen: '[::]:5514'}}",
                        "outputs:",
                        "  q: {type: queue, servers: ['null', '', 'a: b', '- c', '*d'], format: '{message} it''s', properties: {'x y': \"\"}}"));
        assertThat(shown).contains("transport: auto  # default").contains("# timeZone:  # not set: this host's");
        Config again = load(shown);
        assertThat(ConfigText.of(again).replace("  # default", "")).isEqualTo(shown.replace("  # default", ""));
        assertThat(again.data()).isEqualTo(Path.of("/a b/$HOME/\u00fc\t'\"\u0085"));
        assertThat(again.outputs().get(0).settings().get(Queue.SERVERS))
                .containsExactly("null", "", "a: b", "- c", "*d");
        assertThat(load(ConfigText.of(load(""))).inputs()).hasSize(1);
    }

    @Test
    void optionsOverrideTheFile() throws IOException {
        Overrides flags = new Overrides();
        flags.set("--receive-buffer", CollectorSettings.RECEIVE, CollectorSettings.RECEIVE_BUFFER, "1M");
        flags.set("--data", Section.of("", ""), CollectorSettings.DATA, "${literally}");
        flags.setInputs("--listen", List.of("127.0.0.1:7", "127.0.0.1:8"), null, null);
        Config config = load(
                Map.of(),
                flags,
                "data: x",
                "inputs: {a: {listen: '127.0.0.1:1'}}",
                "receive: {receiveBuffer: 2M, maxDatagram: 1K}");
        assertThat(config.data()).isEqualTo(Path.of("${literally}"));
        assertThat(config.receive().get(CollectorSettings.RECEIVE_BUFFER)).isEqualTo(1 << 20);
        assertThat(config.receive().get(CollectorSettings.MAX_DATAGRAM)).isEqualTo(1 << 10);
        assertThat(config.inputs()).extracting(it -> it.name()).containsExactly("127.0.0.1:7", "127.0.0.1:8");
    }

    @Test
    void invalidOptionIsReportedByItsName() {
        Overrides flags = new Overrides();
        flags.set("--gro", CollectorSettings.RECEIVE, CollectorSettings.GRO, "maybe");
        flags.setInputs("--listen", List.of("127.0.0.1:0", "127.0.0.1:0", "here"), null, null);
        assertThatThrownBy(() -> load(Map.of(), flags, ""))
                .isInstanceOfSatisfying(
                        ConfigException.class,
                        e -> assertThat(e.problems())
                                .extracting(Problem::toString)
                                .containsExactlyInAnyOrder(
                                        "--gro accepts on or off, not 'maybe'",
                                        "--listen: '127.0.0.1:0' is there twice",
                                        "--listen accepts " + InputListen.TAKES + ", not 'here'"));
    }

    @Test
    void enforcesLimits() {
        assertThat(problems("data: " + "[".repeat(30) + "]".repeat(30)))
                .containsExactly("m.yaml:1:27: more than 20 levels of nesting");
        assertThat(problems("# " + "x".repeat(1 << 20)))
                .containsExactly("m.yaml: a configuration file has 1 MiB at most");
    }

    @Test
    void rejectsAFileThatIsNotUtf8() throws IOException {
        Path file = Files.write(directory.resolve("m.yaml"), "a: b\nc: \u00fc".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> new ConfigLoader(TYPES, Map.of()).load(file, new Overrides()))
                .hasMessage(file + ":2:4: byte 0xFC is not UTF-8: save the file as UTF-8");
        assertThat(problems("data: \"\u0007\""))
                .containsExactly("m.yaml:1:8: the character U+0007 is not taken: YAML is text");
        assertThat(problems("\uFEFFdata: x")).isEmpty();
    }

    @Test
    void boundSectionRejectsForeignSettings() throws IOException {
        Config config = load("");
        assertThatThrownBy(() -> config.receive().get(CollectorSettings.DATA))
                .hasMessageContaining("'data' is no setting of");
        assertThatThrownBy(() -> config.all().get(Config.TIME_ZONE)).hasMessageContaining("has no value");
    }
}
