package io.millrace.app.config;

import io.millrace.collector.PolicySettings;
import io.millrace.collector.PolicySettings.RateLimit;
import io.millrace.message.Severity;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of the policy: the section {@code policy}. */
public final class PolicyConfig {
    /** The allowed sources. */
    public static final Setting<List<String>> ALLOW = Setting.optional(
            "allow",
            ConfigTypes.NETWORKS,
            "everybody",
            "The only sources that may send, in IPv4 and IPv6. A network within a denied one is an exception for"
                    + " that network and does not affect others. The longest matching network decides.");

    /** The denied sources. */
    public static final Setting<List<String>> DENY = Setting.optional(
            "deny", ConfigTypes.NETWORKS, "none", "Sources that may not send. `0.0.0.0/0` and `::/0` are all sources.");

    /** How severe the messages of an input must be. */
    static final Setting<Severity> MINIMUM_SEVERITY = Setting.withDefault(
            "minimumSeverity",
            ConfigTypes.SEVERITY,
            "debug",
            "Messages that are less severe are dropped before the journal, and counted as `filtered`. Only the PRI part is read:"
                    + " messages without one are kept.");

    private static final Setting<Long> DATAGRAMS = Setting.optional(
            "datagrams", SettingTypes.RATE, "no limit", "Datagrams per second, which is also the burst.");

    private static final Setting<Long> BYTES = Setting.optional(
            "bytes",
            SettingTypes.longSize(1, RateLimit.MAX_BYTES),
            "no limit",
            "Bytes of payload per second, in multiples of 1,024, which is also the burst. A longer datagram"
                    + " passes if the source was idle, and is compensated later.");

    private static final Setting<Integer> IPV4_BITS = Setting.withDefault(
            "ipv4Bits",
            SettingTypes.integer(1, 32),
            String.valueOf(PolicySettings.IPV4_BITS),
            "The prefix length of an IPv4 network.");

    private static final Setting<Integer> IPV6_BITS = Setting.withDefault(
            "ipv6Bits",
            SettingTypes.integer(1, 128),
            String.valueOf(PolicySettings.IPV6_BITS),
            "The prefix length of an IPv6 network.");

    private static final Section PER_SOURCE =
            Section.of("perSource", "The limits of each source address, across all receivers.", DATAGRAMS, BYTES);

    private static final Section PER_NETWORK = Section.of(
            "perNetwork", "The limits of all sources of a network together.", DATAGRAMS, BYTES, IPV4_BITS, IPV6_BITS);

    public static final Section SECTION = Section.of(
            "policy",
            "Which sources may send, what, and how much. Rejected messages are received, counted as `denied`, `filtered` or"
                    + " `rateLimited`, and not journaled.",
            ALLOW,
            DENY,
            MINIMUM_SEVERITY,
            PER_SOURCE,
            PER_NETWORK);

    private PolicyConfig() {}

    /** Reports contradictions between the two lists. */
    static void check(Bound policy) {
        try {
            var unused = settings(policy, Map.of());
        } catch (IllegalArgumentException e) {
            Mark mark = policy.mark(DENY);
            throw new ConfigException(
                    List.of(Problem.of(mark == null ? policy.mark() : mark, SECTION.key(), ": " + e.getMessage())));
        }
    }

    private static List<String> networks(Bound policy, Setting<List<String>> setting) {
        List<String> texts = policy.find(setting);
        return texts == null ? List.of() : texts;
    }

    /**
     * The policy for a collector.
     *
     * @param inputs the minimum severities of inputs that have their own
     */
    public static PolicySettings settings(Bound policy, Map<String, Severity> inputs) {
        PolicySettings.Builder builder = PolicySettings.builder()
                .minimumSeverity(policy.get(MINIMUM_SEVERITY).code());
        inputs.forEach((name, severity) -> builder.minimumSeverity(name, severity.code()));
        networks(policy, ALLOW).forEach(builder::allow);
        networks(policy, DENY).forEach(builder::deny);
        RateLimit perSource = limit(policy.get(PER_SOURCE));
        if (perSource != null) {
            builder.limitSources(perSource);
        }
        Bound network = policy.get(PER_NETWORK);
        RateLimit perNetwork = limit(network);
        if (perNetwork != null) {
            builder.limitNetworks(perNetwork, network.get(IPV4_BITS), network.get(IPV6_BITS));
        }
        return builder.build();
    }

    private static @Nullable RateLimit limit(Bound bound) {
        Long datagrams = bound.find(DATAGRAMS);
        Long bytes = bound.find(BYTES);
        return datagrams == null && bytes == null
                ? null
                : new RateLimit(datagrams == null ? 0 : datagrams, bytes == null ? 0 : bytes);
    }
}
