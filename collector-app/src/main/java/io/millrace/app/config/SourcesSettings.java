package io.millrace.app.config;

import io.millrace.collector.Network;
import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SilenceRules;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The settings of source tracking: the section {@code sources}. */
public final class SourcesSettings {
    /** Whether it is enabled. */
    public static final Setting<Boolean> WATCH = Setting.withDefault(
            "watch", SettingTypes.SWITCH, "on", "Track the top senders, silent sources, and sequence gaps.");

    private static final Setting<List<String>> NETWORKS = Setting.optional(
            "networks",
            SettingTypes.texts("a list of addresses and networks", text -> {
                var unused = Network.parse(text);
            }),
            "none",
            "Addresses of sources in the group, and networks of them.");

    private static final Setting<List<String>> HOSTS = Setting.optional(
            "hosts",
            SettingTypes.texts("a list of host names such as fw1 or fw*", text -> {
                var unused = SilenceRules.host(text);
            }),
            "none",
            "Host names in the messages of sources in the group, in any case; `*` stands for any characters. Not of a relay, whose messages"
                    + " have several host names.");

    private static final Setting<SilenceLimit> GROUP_SILENT_AFTER = Setting.required(
            "silentAfter",
            SettingTypes.parsed(
                    "TIMES, TIME or never",
                    SilenceLimit.TAKES + ", or never",
                    SourcesSettings::groupLimit,
                    SettingTypes::durationMeant),
            "When one of these sources is reported as silent; `never` mutes them.");

    private static final NamedSections GROUPS = NamedSections.alike(
            "groups",
            "Groups of sources with another `silentAfter`, by names of your choice. The first group that has a source counts.",
            "none",
            Section.of("", "", NETWORKS, HOSTS, GROUP_SILENT_AFTER));

    public static final Section SECTION =
            Section.of("sources", "Source tracking.", WATCH, SilenceLimit.SETTING, GROUPS);

    private SourcesSettings() {}

    private static @Nullable SilenceLimit groupLimit(String text) {
        return text.equals("never") ? SilenceLimit.NEVER : SilenceLimit.parse(text);
    }

    /** When sources are reported as silent. */
    public static SilenceRules rules(Bound sources) {
        List<SilenceRules.Group> groups = new ArrayList<>();
        sources.get(GROUPS)
                .values()
                .forEach(group -> groups.add(new SilenceRules.Group(
                        texts(group.find(NETWORKS)).stream().map(Network::parse).toList(),
                        texts(group.find(HOSTS)).stream()
                                .map(SilenceRules::host)
                                .toList(),
                        group.get(GROUP_SILENT_AFTER))));
        return new SilenceRules(sources.get(SilenceLimit.SETTING), groups);
    }

    private static List<String> texts(@Nullable List<String> list) {
        return list == null ? List.of() : list;
    }

    /** Reports groups without sources. */
    static void check(Bound sources, List<Problem> problems) {
        sources.get(GROUPS).forEach((name, group) -> {
            if (group.find(NETWORKS) == null && group.find(HOSTS) == null) {
                problems.add(Problem.of(
                        group.mark(),
                        SECTION.key() + "." + GROUPS.key() + "." + name,
                        "accepts networks, hosts, or both: it has no sources"));
            }
        });
    }
}
