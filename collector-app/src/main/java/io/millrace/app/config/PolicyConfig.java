package io.millrace.app.config;

import io.millrace.collector.PolicySettings;
import io.millrace.collector.RateLimit;
import io.millrace.message.Severity;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The settings of the policy: the section {@code policy}. */
public final class PolicyConfig {
    /** How severe the messages of an input must be. */
    static final Setting<Severity> MINIMUM_SEVERITY = Setting.withDefault(
            "minimumSeverity",
            ConfigTypes.SEVERITY,
            "debug",
            "Messages that are less severe are dropped before the journal, and counted as `filtered`. Only the PRI part is read:"
                    + " messages without one are kept.");

    private static final Section PER_SOURCE = Section.of(
            "perSource",
            "The limits of each source address, across all receivers.",
            RateLimit.DATAGRAMS,
            RateLimit.BYTES);

    private static final Section PER_NETWORK = Section.of(
            "perNetwork",
            "The limits of all sources of a network together.",
            RateLimit.DATAGRAMS,
            RateLimit.BYTES,
            PolicySettings.IPV4_BITS,
            PolicySettings.IPV6_BITS);

    public static final Section SECTION = Section.of(
            "policy",
            "Which sources may send, what, and how much. Rejected messages are received, counted as `denied`, `filtered` or"
                    + " `rateLimited`, and not journaled.",
            PolicySettings.ALLOW,
            PolicySettings.DENY,
            MINIMUM_SEVERITY,
            PER_SOURCE,
            PER_NETWORK);

    private PolicyConfig() {}

    /** Reports contradictions between the two lists. */
    static void check(Bound policy) {
        try {
            var unused = settings(policy, Map.of());
        } catch (SettingException e) {
            throw policy.placed(SECTION.key(), e);
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
        networks(policy, PolicySettings.ALLOW).forEach(builder::allow);
        networks(policy, PolicySettings.DENY).forEach(builder::deny);
        RateLimit perSource = limit(policy.get(PER_SOURCE));
        if (perSource != null) {
            builder.limitSources(perSource);
        }
        Bound network = policy.get(PER_NETWORK);
        RateLimit perNetwork = limit(network);
        if (perNetwork != null) {
            builder.limitNetworks(
                    perNetwork, network.get(PolicySettings.IPV4_BITS), network.get(PolicySettings.IPV6_BITS));
        }
        return builder.build();
    }

    private static @Nullable RateLimit limit(Bound bound) {
        Long datagrams = bound.find(RateLimit.DATAGRAMS);
        Long bytes = bound.find(RateLimit.BYTES);
        return datagrams == null && bytes == null
                ? null
                : new RateLimit(datagrams == null ? 0 : datagrams, bytes == null ? 0 : bytes);
    }
}
