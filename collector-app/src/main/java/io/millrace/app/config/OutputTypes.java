package io.millrace.app.config;

import io.millrace.internal.text.NearestName;
import io.millrace.output.OutputSettings;
import io.millrace.output.OutputType;
import io.millrace.output.file.FileSettings;
import io.millrace.output.file.StdoutSettings;
import io.millrace.output.http.ClickHouseSettings;
import io.millrace.output.http.ElasticsearchSettings;
import io.millrace.output.http.HttpSettings;
import io.millrace.output.http.LokiSettings;
import io.millrace.output.http.OtlpSettings;
import io.millrace.output.http.SplunkSettings;
import io.millrace.output.http.VictoriaLogsSettings;
import io.millrace.output.kafka.KafkaSettings;
import io.millrace.output.relp.RelpSettings;
import io.millrace.output.s3.S3Settings;
import io.millrace.output.syslog.SyslogSettings;
import io.millrace.setting.Entry;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

public final class OutputTypes {
    static final String KEY = "outputs";

    /** What other programs call an output of that kind. */
    private static final Map<String, String> OF_OTHERS = Map.ofEntries(
            Map.entry("omelasticsearch", "elasticsearch"),
            Map.entry("elastic", "elasticsearch"),
            Map.entry("es", "elasticsearch"),
            Map.entry("elasticsearch-http", "elasticsearch"),
            Map.entry("grafana", "loki"),
            Map.entry("omclickhouse", "clickhouse"),
            Map.entry("splunk_hec", "splunk"),
            Map.entry("splunk_hec_logs", "splunk"),
            Map.entry("splunk-hec-event", "splunk"),
            Map.entry("splunk-hec-raw", "splunk"),
            Map.entry("hec", "splunk"),
            Map.entry("otel", "otlp"),
            Map.entry("opentelemetry", "otlp"),
            Map.entry("otlphttp", "otlp"),
            Map.entry("vlogs", "victorialogs"),
            Map.entry("omhttp", "http"),
            Map.entry("webhook", "http"),
            Map.entry("omkafka", "kafka"),
            Map.entry("omrelp", "relp"),
            Map.entry("omfile", "file"),
            Map.entry("omfwd", "syslog"),
            Map.entry("network", "syslog"),
            Map.entry("tcp", "syslog"),
            Map.entry("udp", "syslog"),
            Map.entry("socket", "syslog"),
            Map.entry("aws_s3", "s3"),
            Map.entry("console", "stdout"));

    /** The types of the library, in the order of the reference. */
    public static final OutputTypes ALL = new OutputTypes(List.of(
            FileSettings.TYPE,
            KafkaSettings.TYPE,
            ElasticsearchSettings.ELASTICSEARCH,
            ElasticsearchSettings.OPENSEARCH,
            LokiSettings.TYPE,
            SplunkSettings.TYPE,
            ClickHouseSettings.TYPE,
            VictoriaLogsSettings.TYPE,
            OtlpSettings.TYPE,
            HttpSettings.TYPE,
            S3Settings.TYPE,
            SyslogSettings.TYPE,
            RelpSettings.TYPE,
            StdoutSettings.TYPE));

    private final Map<String, OutputType> types = new LinkedHashMap<>();
    private final Setting<String> kind;
    private final NamedSections outputs;

    /** Creates a list of types, in the order of the reference. */
    public OutputTypes(List<OutputType> list) {
        Map<String, Section> kinds = new LinkedHashMap<>();
        for (OutputType type : list) {
            types.put(type.name(), type);
            List<Entry> common = OutputOptions.of(type);
            common.add(type.batch().section());
            List<Entry> own = new ArrayList<>(type.settings());
            own.removeIf(setting -> setting == type.format());
            kinds.put(type.name(), new Section("", "", own).after(type.help(), common));
        }
        kind = Setting.required(
                "type", type(List.copyOf(kinds.keySet())), "The type, which determines the other settings.");
        outputs = NamedSections.byType(
                KEY,
                "The outputs, by names of your choice. An output continues at the position stored under its name, so"
                        + " a renamed output starts again.",
                "none",
                kind,
                kinds);
    }

    private static SettingType<String> type(List<String> names) {
        return SettingTypes.parsed(
                String.join("|", names),
                SettingTypes.either(names),
                text -> names.contains(text) ? text : null,
                text -> {
                    String meant = OF_OTHERS.get(text.toLowerCase(Locale.ROOT));
                    return meant == null ? NearestName.hint(text, names) : "; did you mean " + meant + "?";
                });
    }

    NamedSections section() {
        return outputs;
    }

    /**
     * An output that the file describes; null, with problems, if its values contradict each other.
     *
     * @param zone the time zone of times in names
     */
    @Nullable
    OutputConfig output(String name, Bound bound, ZoneId zone, List<Problem> problems) {
        String type = bound.get(kind);
        OutputType chosen = types.get(type);
        if (chosen == null) {
            throw new IllegalStateException("no output type " + type);
        }
        try {
            OutputSettings checked = chosen.of(bound.settings().with(OutputSettings.TIME_ZONE, zone));
            return new OutputConfig(name, chosen, bound, checked, bound.mark());
        } catch (SettingException e) {
            problems.addAll(Problem.of(bound, KEY + "." + name, e));
            return null;
        }
    }
}
