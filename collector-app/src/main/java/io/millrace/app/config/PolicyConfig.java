package io.millrace.app.config;

import io.millrace.policy.PolicySettings;
import io.millrace.policy.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who may send, and how much: the section {@code policy}. */
public final class PolicyConfig {
    /** Who may. */
    public static final Setting<List<String>> ALLOW = Setting.optional(
            "allow",
            ValueTypes.NETWORKS,
            "everybody",
            "Who may send: nobody else then, in IPv4 or IPv6; a network inside of a denied one is an exception of that one"
                    + " and changes nothing for others. The longest network that a source is in decides.");

    /** Who may not. */
    public static final Setting<List<String>> DENY = Setting.optional(
            "deny", ValueTypes.NETWORKS, "nobody", "Who may not send. `0.0.0.0/0` and `::/0` are everybody.");

    private static final Setting<Long> DATAGRAMS =
            Setting.optional("datagrams", ValueTypes.RATE, "no limit", "Datagrams a second. As many may come at once.");

    private static final Setting<Long> BYTES = Setting.optional(
            "bytes",
            ValueTypes.longSize(1, RateLimit.MAX_BYTES),
            "no limit",
            "Bytes of payload a second, in multiples of 1,024. As many may come at once; a longer datagram passes when"
                    + " nothing has for a while, and is made up for.");

    private static final Setting<Integer> IPV4_BITS = Setting.withDefault(
            "ipv4Bits",
            ValueTypes.integer(1, 32),
            String.valueOf(PolicySettings.IPV4_BITS),
            "How many bits the IPv4 sources of a network have in common.");

    private static final Setting<Integer> IPV6_BITS = Setting.withDefault(
            "ipv6Bits",
            ValueTypes.integer(1, 128),
            String.valueOf(PolicySettings.IPV6_BITS),
            "How many bits the IPv6 sources of a network have in common.");

    private static final Section PER_SOURCE =
            Section.of("perSource", "What each source address may send, over all receivers.", DATAGRAMS, BYTES);

    private static final Section PER_NETWORK = Section.of(
            "perNetwork", "What the sources of a network may send together.", DATAGRAMS, BYTES, IPV4_BITS, IPV6_BITS);

    /** All of them. */
    public static final Section SECTION = Section.of(
            "policy",
            "Who may send, and how much. What is refused is received, counted as `denied` or `rateLimited`, and not"
                    + " journaled.",
            ALLOW,
            DENY,
            PER_SOURCE,
            PER_NETWORK);

    private PolicyConfig() {}

    /** Says when the two lists contradict each other. */
    static void check(Bound policy) {
        try {
            var unused = settings(policy);
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

    /** What a collector takes. */
    public static PolicySettings settings(Bound policy) {
        PolicySettings.Builder builder = PolicySettings.builder();
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
