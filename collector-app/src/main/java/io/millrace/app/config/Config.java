package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import io.millrace.collector.StreamInput;
import io.millrace.collector.StreamSettings;
import io.millrace.message.InputRules;
import io.millrace.message.Severity;
import io.millrace.message.TextCharset;
import io.millrace.output.internal.secret.Secrets;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the service runs with: the file, the flags, and the defaults of what neither says.
 *
 * @param data the data directory
 * @param inputs where to listen on UDP
 * @param streams where to listen on TCP and on Unix sockets; one of the two lists has an input
 * @param receive the values of {@link CollectorSettings#RECEIVE}
 * @param policy the values of {@link PolicyConfig}
 * @param journal the values of {@link JournalSettings}
 * @param outputs where messages go
 * @param routing which of them each output takes
 * @param sources the values of {@link SourcesSettings}
 * @param alerts whom the service tells about faults
 * @param admin how admin HTTP is reached; null for not at all
 * @param timeZone the time zone of timestamps without one
 * @param inputRules how what comes in is read, by the name of the input
 * @param all everything, as it was said
 * @param secrets what of it must not be printed
 * @param warnings what is no mistake, and not as good as it could be
 */
public record Config(
        Path data,
        List<CollectorSettings.Input> inputs,
        List<StreamInput> streams,
        Bound receive,
        Bound policy,
        Bound journal,
        List<OutputConfig> outputs,
        Routing routing,
        Bound sources,
        AlertSettings alerts,
        @Nullable AdminSettings admin,
        ZoneId timeZone,
        Map<String, InputRules> inputRules,
        Bound all,
        Secrets secrets,
        List<Problem> warnings) {
    /** What a service that runs takes over. */
    private static final Set<String> RELOADED = Set.of(
            PolicyConfig.SECTION.key(), OutputTypes.KEY, FilterSettings.FILTERS.key(), AlertSettings.SECTION.key());

    /** Where an input listens. */
    public static final Setting<InputListen> LISTEN = Setting.required(
            "listen",
            ConfigTypes.LISTEN,
            "The address to receive on. `[::]` includes IPv4; quote a value that begins with `[`.");

    /** The time zone of an input's timestamps without one. */
    public static final Setting<ZoneId> INPUT_TIME_ZONE = Setting.optional(
            "timeZone",
            SettingTypes.ZONE,
            "the file's",
            "The time zone of timestamps without one, in messages of this input that go to outputs.");

    public static final SettingType<TextCharset> CHARSETS = SettingTypes.parsed(
            "CHARSET",
            "auto, utf-8, or another charset such as latin-1, windows-1252, gbk or shift_jis",
            TextCharset::of);

    public static final Setting<TextCharset> CHARSET = Setting.withDefault(
            "charset",
            CHARSETS,
            "utf-8",
            "The charset of the messages. auto: UTF-8 if it is valid, else windows-1252. The journal and the format `raw` have the"
                    + " bytes as they came; all other formats, filters and edits have UTF-8.");

    /** Whether an input's datagrams are cut. */
    public static final Setting<Boolean> SPLIT_LINES = Setting.withDefault(
            "splitLines",
            SettingTypes.SWITCH,
            "off",
            "Whether each line of a datagram is a message of its own, in what comes in here and goes to outputs. The journal"
                    + " has the datagram as it came.");

    /** How severe the messages of an input must be. */
    public static final Setting<Severity> INPUT_MINIMUM_SEVERITY = Setting.optional(
            "minimumSeverity",
            ConfigTypes.SEVERITY,
            "the policy's",
            "Less severe messages are dropped before the journal, as by `policy.minimumSeverity`. An input with `splitLines` has none.");

    /** Whether an input merges chunks of GELF messages. */
    public static final Setting<Boolean> GELF_CHUNKS = Setting.withDefault(
            "gelfChunks",
            SettingTypes.SWITCH,
            "off",
            "Whether chunks of GELF messages are merged (UDP). GELF that comes in one datagram, or over TCP, needs no"
                    + " setting.");

    /** How long the message in a compressed payload may be. */
    private static final Setting<Integer> MAX_EXPANDED = Setting.withDefault(
            "maxExpanded",
            SettingTypes.size(1 << 10, InputRules.MAX_EXPANDED_BYTES),
            "64K",
            "Longest message that a compressed payload (GELF) may hold; one below 1 KiB holds a proportionally shorter one. A longer"
                    + " message is a dead letter of the outputs that need it; format `raw` delivers the payload as it came.");

    public static final NamedSections INPUTS = NamedSections.alike(
            "inputs",
            "Where messages come in, by names of your choice. The name of an input is kept with each message, and is in"
                    + " metrics.",
            "one, of the name and address `[::]:5514` (IPv4 included; `0.0.0.0:5514` on a host without IPv6)",
            Section.of(
                    "",
                    "",
                    LISTEN,
                    INPUT_TIME_ZONE,
                    CHARSET,
                    SPLIT_LINES,
                    INPUT_MINIMUM_SEVERITY,
                    GELF_CHUNKS,
                    MAX_EXPANDED,
                    StreamSettings.FRAMING,
                    MultilineSettings.SECTION,
                    StreamSettings.MAX_MESSAGE,
                    StreamSettings.MAX_CONNECTIONS,
                    StreamSettings.MAX_CONNECTIONS_PER_SOURCE,
                    StreamSettings.IDLE_TIMEOUT,
                    StreamSettings.MODE,
                    StreamSettings.OWNER,
                    StreamInputSettings.PROXY_PROTOCOL,
                    TlsInputSettings.SECTION));

    public static final Setting<ZoneId> TIME_ZONE =
            Setting.optional("timeZone", SettingTypes.ZONE, "this host's", "The time zone of timestamps without one.");

    /** The sections of another configuration that differ from this, and which a service that runs cannot take over. */
    public List<String> needsRestart(Config next) {
        return all.differences(next.all).stream()
                .filter(key -> !RELOADED.contains(key))
                .filter(key -> !key.equals(SourcesSettings.SECTION.key())
                        || !sources.saysTheSame(SourcesSettings.WATCH, next.sources))
                .toList();
    }

    /** True if the settings of source tracking say the same as those of another configuration. */
    public boolean hasSourcesOf(Config other) {
        return sources.saysTheSameAs(other.sources);
    }

    /** True if the settings of alerts say the same as those of another configuration. */
    public boolean hasAlertsOf(Config other) {
        return all.get(AlertSettings.SECTION).saysTheSameAs(other.all.get(AlertSettings.SECTION));
    }

    /** The minimum severities of inputs that have their own. Only the first line of a datagram of several has its severity at the beginning. */
    public Map<String, Severity> inputSeverities() {
        Map<String, Severity> severities = new HashMap<>();
        all.get(INPUTS).forEach((name, input) -> {
            Severity own = input.get(SPLIT_LINES) ? Severity.DEBUG : input.find(INPUT_MINIMUM_SEVERITY);
            if (own != null) {
                severities.put(name, own);
            }
        });
        return severities;
    }

    private static void checkSeverity(String name, Bound input) {
        Mark mark = input.mark(INPUT_MINIMUM_SEVERITY);
        if (mark != null && input.get(SPLIT_LINES)) {
            throw new ConfigException(
                    List.of(
                            Problem.of(
                                    mark,
                                    INPUTS.key() + "." + name + "." + INPUT_MINIMUM_SEVERITY.key(),
                                    "cannot be combined with splitLines, because each line has a severity; use the where of an output")));
        }
    }

    /** The description of the whole file. */
    public static Section description(OutputTypes types) {
        return Section.of(
                "",
                "These stand at the top of the file, beside the sections below.",
                CollectorSettings.DATA,
                INPUTS,
                CollectorSettings.RECEIVE,
                PolicyConfig.SECTION,
                JournalSettings.SECTION,
                types.section(),
                FilterSettings.FILTERS,
                SourcesSettings.SECTION,
                AlertSettings.SECTION,
                AdminSettings.SECTION,
                TIME_ZONE);
    }

    static Config of(Bound all, OutputTypes types, Secrets secrets, List<Problem> warnings) {
        List<CollectorSettings.Input> inputs = new ArrayList<>();
        List<StreamInput> streams = new ArrayList<>();
        ZoneId given = all.find(TIME_ZONE);
        ZoneId zone = given == null ? ZoneId.systemDefault() : given;
        Map<String, InputRules> rules = new HashMap<>();
        all.get(INPUTS).forEach((name, input) -> {
            checkSeverity(name, input);
            InputListen listen = input.get(LISTEN);
            if (listen.udp() != null) {
                inputs.add(new CollectorSettings.Input(name, listen.udp(), input.get(GELF_CHUNKS)));
            } else {
                streams.add(StreamInputSettings.of(name, Objects.requireNonNull(listen.endpoint()), input));
            }
            ZoneId own = input.find(INPUT_TIME_ZONE);
            int maxExpanded = input.get(MAX_EXPANDED);
            rules.put(
                    name,
                    new InputRules(own == null ? zone : own, input.get(SPLIT_LINES), maxExpanded, input.get(CHARSET)));
        });
        if (inputs.isEmpty() && streams.isEmpty()) {
            String text = ListenAddress.defaultText();
            inputs.add(new CollectorSettings.Input(
                    text, ConfigTypes.ADDRESS.parse(text).address(), false));
        }
        PolicyConfig.check(all.get(PolicyConfig.SECTION));
        List<OutputConfig> outputs = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        all.get(types.section()).forEach((name, output) -> {
            OutputConfig made = types.output(name, output, zone, problems);
            if (made != null) {
                outputs.add(made);
            }
        });
        SourcesSettings.check(all.get(SourcesSettings.SECTION), problems);
        Routing routing = new Routing(all.get(types.section()), FilterSettings.of(all, problems), problems);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems);
        }
        return new Config(
                all.get(CollectorSettings.DATA),
                List.copyOf(inputs),
                List.copyOf(streams),
                all.get(CollectorSettings.RECEIVE),
                all.get(PolicyConfig.SECTION),
                all.get(JournalSettings.SECTION),
                List.copyOf(outputs),
                routing,
                all.get(SourcesSettings.SECTION),
                AlertSettings.of(all.get(AlertSettings.SECTION)),
                AdminSettings.of(all.get(AdminSettings.SECTION)),
                zone,
                Map.copyOf(rules),
                all,
                secrets,
                List.copyOf(warnings));
    }
}
