package io.millrace.collector;

import io.millrace.internal.policy.Policy;
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

    /** The default prefix length with IPv4. */
    public static final int IPV4_BITS = 24;

    /** The default prefix length with IPv6. */
    public static final int IPV6_BITS = 64;

    /** All sources may send, without limits. */
    public static final PolicySettings NONE =
            new PolicySettings(null, null, null, IPV4_BITS, IPV6_BITS, MinimumSeverity.NONE);

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
        if (ipv4Bits < 1 || ipv4Bits > 32 || ipv6Bits < 1 || ipv6Bits > 128) {
            throw new IllegalArgumentException(
                    "the networks of a rate limit have a prefix length of 1 to 32 with IPv4 and 1 to 128 with"
                            + " IPv6, not " + ipv4Bits + " and " + ipv6Bits);
        }
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
        private int ipv4Bits = IPV4_BITS;
        private int ipv6Bits = IPV6_BITS;
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
            allowed.add(network("allow", network));
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
            denied.add(network("deny", network));
            return this;
        }

        private static Network network(String setting, String text) {
            try {
                return Network.parse(text);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(setting + " '" + text + "': " + e.getMessage(), e);
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

        /**
         * Creates the settings.
         *
         * @throws IllegalArgumentException if they contradict each other; the message says how
         */
        public PolicySettings build() {
            NetworkSet networks = allowed.isEmpty() && denied.isEmpty() ? null : NetworkSet.of(allowed, denied);
            return new PolicySettings(
                    networks, perSource, perNetwork, ipv4Bits, ipv6Bits, new MinimumSeverity(minimumSeverity, byInput));
        }
    }

    /**
     * A rate limit: a token bucket that holds what may arrive in one second, and refills evenly. It has a limit of datagrams,
     * of bytes, or of both; 0 means none.
     *
     * @param datagrams datagrams per second, up to 100 million
     * @param bytes bytes of payload per second, as stored, up to 1 TiB. A datagram with more bytes than that passes if the bucket
     *     is full, which then takes longer to refill
     */
    public record RateLimit(long datagrams, long bytes) {
        /** The maximum limit in datagrams per second. */
        public static final long MAX_DATAGRAMS = 100_000_000;

        /** The maximum limit in bytes per second. */
        public static final long MAX_BYTES = 1L << 40;

        /** Checks the limits. */
        public RateLimit {
            if (datagrams < 0
                    || datagrams > MAX_DATAGRAMS
                    || bytes < 0
                    || bytes > MAX_BYTES
                    || datagrams + bytes == 0) {
                throw new IllegalArgumentException(
                        "a rate limit takes up to " + MAX_DATAGRAMS + " datagrams per second, up to " + MAX_BYTES
                                + " bytes per second, or both, not " + datagrams + " and " + bytes);
            }
        }

        @Override
        public String toString() {
            String ofDatagrams = datagrams == 0 ? "" : datagrams + " datagrams/s";
            String ofBytes = bytes == 0 ? "" : bytes + " bytes/s";
            return ofDatagrams + (datagrams == 0 || bytes == 0 ? "" : " and ") + ofBytes;
        }
    }
}
