package io.millrace.policy;

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
}
