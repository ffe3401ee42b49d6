package io.millrace.policy;

import io.millrace.record.Network;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Policy} is made from. Immutable.
 *
 * @param networks who may send; null for everybody
 * @param perSource the limit of each source address; null for none
 * @param perNetwork the limit of each network of sources; null for none
 * @param ipv4Bits how long such a network is with IPv4, 1 to 32
 * @param ipv6Bits how long such a network is with IPv6, 1 to 128
 */
public record PolicySettings(
        @Nullable NetworkSet networks,
        @Nullable RateLimit perSource,
        @Nullable RateLimit perNetwork,
        int ipv4Bits,
        int ipv6Bits) {
    /** The length of networks with IPv4, unless another is given. */
    public static final int IPV4_BITS = 24;

    /** The length of networks with IPv6, unless another is given. */
    public static final int IPV6_BITS = 64;

    /** Everybody may send as much as they like. */
    public static final PolicySettings NONE = new PolicySettings(null, null, null, IPV4_BITS, IPV6_BITS);

    /** Checks the settings; the message of the exception says which is wrong and what it takes. */
    public PolicySettings {
        if (ipv4Bits < 1 || ipv4Bits > 32 || ipv6Bits < 1 || ipv6Bits > 128) {
            throw new IllegalArgumentException(
                    "the networks of a rate limit take 1 to 32 bits with IPv4 and 1 to 128 with" + " IPv6, not "
                            + ipv4Bits + " and " + ipv6Bits);
        }
    }

    /** Begins with everybody, without limits. */
    public static Builder builder() {
        return new Builder();
    }

    /** Says who may send, and how much. */
    public static final class Builder {
        private final List<Network> allowed = new ArrayList<>();
        private final List<Network> denied = new ArrayList<>();
        private @Nullable RateLimit perSource;
        private @Nullable RateLimit perNetwork;
        private int ipv4Bits = IPV4_BITS;
        private int ipv6Bits = IPV6_BITS;

        private Builder() {}

        /**
         * Allows sources to send, and no others any more, but for those of other networks that are allowed; a network inside of a
         * denied one is an exception of that one and changes nothing for others. Default: everybody.
         *
         * @param network an address or a network, such as {@code 10.0.0.0/8} or {@code 2001:db8::/32}
         * @throws IllegalArgumentException if it is none; the message says what would be right
         */
        public Builder allow(String network) {
            allowed.add(network("allow", network));
            return this;
        }

        /**
         * Denies sources to send; of all networks, allowed and denied, the longest that a source is in decides. Default:
         * nobody.
         *
         * @param network an address or a network
         * @throws IllegalArgumentException if it is none; the message says what would be right
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

        /** Limits what each source address may send, over all receivers. What is above is counted, and not journaled. Default: no limit. */
        public Builder limitSources(RateLimit limit) {
            perSource = limit;
            return this;
        }

        /**
         * Limits what the sources of each network may send together. Default: no limit.
         *
         * @param ipv4 how many bits such a network has with IPv4, 1 to 32; usual is {@link #IPV4_BITS}
         * @param ipv6 the same with IPv6, 1 to 128; usual is {@link #IPV6_BITS}
         */
        public Builder limitNetworks(RateLimit limit, int ipv4, int ipv6) {
            perNetwork = limit;
            ipv4Bits = ipv4;
            ipv6Bits = ipv6;
            return this;
        }

        /**
         * Checks the settings.
         *
         * @throws IllegalArgumentException if they contradict each other; the message says in what
         */
        public PolicySettings build() {
            NetworkSet networks = allowed.isEmpty() && denied.isEmpty() ? null : NetworkSet.of(allowed, denied);
            return new PolicySettings(networks, perSource, perNetwork, ipv4Bits, ipv6Bits);
        }
    }
}
