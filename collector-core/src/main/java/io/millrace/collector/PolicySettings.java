package io.millrace.collector;

import io.millrace.internal.policy.Policy;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Policy}. Immutable.
 *
 * @param networks the sources that may send; null for all
 * @param perSource the limit of each source address; null for none
 * @param perNetwork the limit of each network of sources; null for none
 * @param ipv4Bits the prefix length of these networks with IPv4, 1 to 32
 * @param ipv6Bits the prefix length of these networks with IPv6, 1 to 128
 * @param severity how severe a message must be
 */
public record PolicySettings(
        @Nullable NetworkSet networks,
        @Nullable RateLimit perSource,
        @Nullable RateLimit perNetwork,
        int ipv4Bits,
        int ipv6Bits,
        MinimumSeverity severity) {
    /** The severity of debug messages, the lowest (RFC 5424, section 6.2.1). */
    public static final int DEBUG = 7;

    private static final SettingType<List<String>> NETWORKS = SettingTypes.texts(
            "a list of addresses and networks such as 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32", Network::parse);

    /** The only sources that may send. */
    public static final Setting<List<String>> ALLOW = Setting.optional(
            "allow",
            NETWORKS,
            "everybody",
            "The only sources that may send, in IPv4 and IPv6. A network within a denied one is an exception for"
                    + " that network and does not affect others. The longest matching network decides.");

    /** Sources that may not send. */
    public static final Setting<List<String>> DENY = Setting.optional(
            "deny", NETWORKS, "none", "Sources that may not send. `0.0.0.0/0` and `::/0` are all sources.");

    /** The prefix length of a network with IPv4. */
    public static final Setting<Integer> IPV4_BITS =
            Setting.withDefault("ipv4Bits", SettingTypes.integer(1, 32), "24", "The prefix length of an IPv4 network.");

    /** The prefix length of a network with IPv6. */
    public static final Setting<Integer> IPV6_BITS = Setting.withDefault(
            "ipv6Bits", SettingTypes.integer(1, 128), "64", "The prefix length of an IPv6 network.");

    /** All sources may send, without limits. */
    public static final PolicySettings NONE = builder().build();

    /**
     * How severe a message must be, as a number from 0 (emergency) to 7 (debug, which all messages are). Messages without a PRI part
     * are severe enough.
     *
     * @param common for all inputs without their own
     * @param byInput for single inputs, by name
     */
    public record MinimumSeverity(int common, Map<String, Integer> byInput) {
        /** All messages are severe enough. */
        public static final MinimumSeverity NONE = new MinimumSeverity(DEBUG, Map.of());

        /** Checks the numbers. */
        public MinimumSeverity {
            check(common);
            byInput.values().forEach(MinimumSeverity::check);
            byInput = Map.copyOf(byInput);
        }

        private static void check(int severity) {
            if (severity < 0 || severity > DEBUG) {
                throw new IllegalArgumentException(
                        "a minimum severity is a number from 0 (emergency) to 7 (debug), not " + severity);
            }
        }
    }

    /** Creates settings that accept messages of each severity. */
    public PolicySettings(
            @Nullable NetworkSet networks,
            @Nullable RateLimit perSource,
            @Nullable RateLimit perNetwork,
            int ipv4Bits,
            int ipv6Bits) {
        this(networks, perSource, perNetwork, ipv4Bits, ipv6Bits, MinimumSeverity.NONE);
    }

    /** Checks the settings. The message of an exception says which one is wrong and what would be right. */
    public PolicySettings {
        IPV4_BITS.check(ipv4Bits);
        IPV6_BITS.check(ipv6Bits);
    }

    /** Creates a builder that allows every source, without limits. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link PolicySettings}. */
    public static final class Builder {
        private final List<Network> allowed = new ArrayList<>();
        private final List<Network> denied = new ArrayList<>();
        private @Nullable RateLimit perSource;
        private @Nullable RateLimit perNetwork;
        private int ipv4Bits = Settings.DEFAULTS.get(IPV4_BITS);
        private int ipv6Bits = Settings.DEFAULTS.get(IPV6_BITS);
        private int minimumSeverity = DEBUG;
        private final Map<String, Integer> byInput = new HashMap<>();

        private Builder() {}

        /**
         * Allows the sources of a network. Sources in no network are then denied. A network inside of a denied one is
         * only an exception to it, and does not deny others. Default: all sources may send.
         *
         * @param network an address or a network, such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}
         * @throws IllegalArgumentException if it is neither; the message says what would be right
         */
        public Builder allow(String network) {
            allowed.add(network(ALLOW, network));
            return this;
        }

        /**
         * Denies the sources of a network. The longest network that contains a source, allowed or denied, decides. Default:
         * no source is denied.
         *
         * @param network an address or a network
         * @throws IllegalArgumentException if it is neither; the message says what would be right
         */
        public Builder deny(String network) {
            denied.add(network(DENY, network));
            return this;
        }

        private static Network network(Setting<?> setting, String text) {
            try {
                return Network.parse(text);
            } catch (IllegalArgumentException e) {
                throw new SettingException(setting, "'" + text + "': " + e.getMessage(), e);
            }
        }

        /** Limits each source address, over all receivers. Datagrams above the limit are counted and not journaled. Default: no limit. */
        public Builder limitSources(RateLimit limit) {
            perSource = limit;
            return this;
        }

        /**
         * Limits the sources of each network together. Default: no limit.
         *
         * @param ipv4 the prefix length of these networks with IPv4, 1 to 32; usually {@link #IPV4_BITS}
         * @param ipv6 the same with IPv6, 1 to 128; usually {@link #IPV6_BITS}
         */
        public Builder limitNetworks(RateLimit limit, int ipv4, int ipv6) {
            perNetwork = limit;
            ipv4Bits = ipv4;
            ipv6Bits = ipv6;
            return this;
        }

        /**
         * Drops messages that are less severe, before the journal. Only the PRI part is read. Default: none.
         *
         * @param severity 0 (emergency) to 7 (debug, which drops none)
         */
        public Builder minimumSeverity(int severity) {
            minimumSeverity = severity;
            return this;
        }

        /** Does the same for one input, instead of the severity for all. */
        public Builder minimumSeverity(String input, int severity) {
            byInput.put(input, severity);
            return this;
        }

        private @Nullable NetworkSet networks() {
            try {
                return allowed.isEmpty() && denied.isEmpty() ? null : NetworkSet.of(allowed, denied);
            } catch (IllegalArgumentException e) {
                throw new SettingException(DENY, ": " + e.getMessage(), e);
            }
        }

        /**
         * Creates the settings.
         *
         * @throws IllegalArgumentException if they contradict each other; the message says how
         */
        public PolicySettings build() {
            return new PolicySettings(
                    networks(),
                    perSource,
                    perNetwork,
                    ipv4Bits,
                    ipv6Bits,
                    new MinimumSeverity(minimumSeverity, byInput));
        }
    }
}
