package io.millrace.policy;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who may send, and how much. Receivers share one, and ask it for each datagram; it keeps account of rates, so each
 * collector has its own. Any thread, several at once, but for {@link #tick}.
 */
public final class Policy {
    /** Lets everything pass: receivers do not ask. */
    public static final Policy NONE = new Policy(null, null);

    private static final int IPV6_BYTES = 16;

    private final @Nullable NetworkSet networks;
    private final @Nullable RateLimits limits;

    /** What becomes of a datagram. */
    public enum Verdict {
        /** It is journaled. */
        PASS,
        /** Its source may not send. */
        DENIED,
        /** Its source, or the network of its source, has sent too much. */
        RATE_LIMITED
    }

    private Policy(@Nullable NetworkSet networks, @Nullable RateLimits limits) {
        this.networks = networks;
        this.limits = limits;
    }

    /** Makes a policy; {@link #NONE} if nobody is denied or limited. */
    public static Policy of(PolicySettings settings) {
        boolean limited = settings.perSource() != null || settings.perNetwork() != null;
        return settings.networks() == null && !limited
                ? NONE
                : new Policy(settings.networks(), limited ? new RateLimits(settings) : null);
    }

    /** True if there are rate limits, and so notices of them. */
    public boolean isLimiting() {
        return limits != null;
    }

    /**
     * Says what becomes of a datagram, and charges it to its source if it passes.
     *
     * @param ipv6 family of the source; an IPv4-mapped source is IPv4, as frames have it
     * @param high the first 64 bits of the source address as a number; of IPv4 the address and 32 zeros
     * @param low its other 64 bits; of IPv4 0
     * @param payloadBytes bytes of the payload
     * @param receiveTimeNs receive time, in ns since the epoch
     */
    public Verdict verdict(boolean ipv6, long high, long low, int payloadBytes, long receiveTimeNs) {
        if (networks != null && !networks.allows(ipv6, high, low)) {
            return Verdict.DENIED;
        }
        if (limits != null && !limits.allows(ipv6, high, low, payloadBytes, receiveTimeNs)) {
            return Verdict.RATE_LIMITED;
        }
        return Verdict.PASS;
    }

    /** True if a source may connect. */
    public boolean allows(InetAddress source) {
        if (networks == null) {
            return true;
        }
        byte[] address = source.getAddress();
        return networks.allows(address.length == IPV6_BYTES, high(address), low(address));
    }

    /**
     * Charges a message of a connection to its source, which is read no further for a while if that cannot be.
     *
     * @return false if its source, or the network of its source, has sent too much: nothing is charged, and nothing refused
     */
    public boolean charges(boolean ipv6, long high, long low, int payloadBytes, long receiveTimeNs) {
        return limits == null || limits.charges(ipv6, high, low, payloadBytes, receiveTimeNs);
    }

    private static long high(byte[] address) {
        ByteBuffer bytes = ByteBuffer.wrap(address);
        return address.length == IPV6_BYTES ? bytes.getLong(0) : (long) bytes.getInt(0) << Integer.SIZE;
    }

    private static long low(byte[] address) {
        return address.length == IPV6_BYTES ? ByteBuffer.wrap(address).getLong(Long.BYTES) : 0;
    }

    /**
     * Says who begins to be limited and who no longer is, ten lines a minute at the most. One thread, every second.
     *
     * @param log takes a line
     */
    public void tick(Consumer<String> log) {
        if (limits != null) {
            limits.tick(log);
        }
    }
}
