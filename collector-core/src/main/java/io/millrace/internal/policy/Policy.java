package io.millrace.internal.policy;

import io.millrace.collector.NetworkSet;
import io.millrace.collector.PolicySettings;
import io.millrace.internal.record.Priority;
import io.millrace.journal.DatagramView;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The access control, the severity limits and the rate limits of a collector. Its receivers share the policy and check each datagram. The policy
 * has the state of the rate limits, so each collector needs its own. Any thread, several at once, except for {@link #tick}.
 */
public final class Policy {
    /** Accepts all datagrams. Receivers do not call it. */
    public static final Policy NONE = new Policy(null, null, null);

    private static final int IPV6_BYTES = 16;

    private final @Nullable NetworkSet networks;
    private final @Nullable SeverityLimits severities;
    private final @Nullable RateLimits limits;

    /** The decision about a datagram. */
    public enum Verdict {
        /** The datagram is accepted. */
        PASS,
        /** The source may not send. */
        DENIED,
        /** The message is less severe than the minimum severity. */
        FILTERED,
        /** The source, or its network, is above its limit. */
        RATE_LIMITED
    }

    private Policy(@Nullable NetworkSet networks, @Nullable SeverityLimits severities, @Nullable RateLimits limits) {
        this.networks = networks;
        this.severities = severities;
        this.limits = limits;
    }

    /** Creates a policy without severity limits of single inputs; {@link #NONE} if it accepts everything. */
    public static Policy of(PolicySettings settings) {
        return of(settings, Map.of());
    }

    /**
     * Creates a policy; {@link #NONE} if it accepts everything.
     *
     * @param inputs the ids of the inputs, by name
     */
    public static Policy of(PolicySettings settings, Map<String, Integer> inputs) {
        boolean limited = settings.perSource() != null || settings.perNetwork() != null;
        SeverityLimits severities = severities(settings.severity(), inputs);
        return settings.networks() == null && severities == null && !limited
                ? NONE
                : new Policy(settings.networks(), severities, limited ? new RateLimits(settings) : null);
    }

    private static @Nullable SeverityLimits severities(
            PolicySettings.MinimumSeverity settings, Map<String, Integer> inputs) {
        Map<Integer, Integer> own = new HashMap<>();
        inputs.forEach((name, id) -> {
            Integer limit = settings.byInput().get(name);
            if (limit != null) {
                own.put(id, limit);
            }
        });
        return settings.common() == PolicySettings.DEBUG && own.isEmpty()
                ? null
                : new SeverityLimits(settings.common(), own);
    }

    /** True if there are rate limits. */
    public boolean isLimiting() {
        return limits != null;
    }

    /** Decides about a datagram, and charges it to its source if it is accepted. One of this host has no source. */
    public Verdict verdict(DatagramView datagram) {
        if (datagram.isLocal()) {
            return takes(datagram) ? Verdict.PASS : Verdict.FILTERED;
        }
        boolean ipv6 = datagram.isIpv6();
        long high = ipv6 ? datagram.sourceHigh() : (long) datagram.sourceIpv4() << Integer.SIZE;
        long low = ipv6 ? datagram.sourceLow() : 0;
        if (severities != null && (networks == null || networks.allows(ipv6, high, low)) && !takes(datagram)) {
            return Verdict.FILTERED;
        }
        return verdict(ipv6, high, low, datagram.payloadLength(), datagram.receiveTimeNs());
    }

    private boolean takes(DatagramView datagram) {
        return severities == null || severities.takes(datagram.input(), datagram.severity());
    }

    /** True if a message of a connection is severe enough for its input. */
    public boolean takes(int input, ByteBuffer memory, int offset, int length) {
        return severities == null || severities.takes(input, Priority.severity(memory, offset, length));
    }

    /**
     * Decides about a datagram by its source, and charges it to the source if it is accepted.
     *
     * @param ipv6 family of the source; an IPv4-mapped source is IPv4, as in frames
     * @param high the first 64 bits of the source address as a number; for IPv4 the address and 32 zero bits
     * @param low its last 64 bits; 0 for IPv4
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
     * Charges a message of a connection to its source. If it cannot, the connection is not read for a while.
     *
     * @return false if the source, or its network, is above its limit: nothing is charged, and nothing rejected
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
     * Logs when a rate limit begins or ends to affect a source: at most ten lines per minute. One thread, every second.
     *
     * @param log receives the lines
     */
    public void tick(Consumer<String> log) {
        if (limits != null) {
            limits.tick(log);
        }
    }

    /** The least severe messages that each input takes. Immutable. */
    static final class SeverityLimits {
        private static final int INPUTS = 256;

        private final byte[] byInput = new byte[INPUTS];

        /**
         * Creates the limits.
         *
         * @param limit of all other inputs, 0 (emergency) to 7 (debug, which is no limit)
         * @param own the limits of single inputs, by id
         */
        SeverityLimits(int limit, Map<Integer, Integer> own) {
            Arrays.fill(byInput, (byte) limit);
            own.forEach((input, ownLimit) -> byInput[input] = ownLimit.byteValue());
        }

        /** True if the message is severe enough; a message without a severity (-1) is. */
        boolean takes(int input, int severity) {
            return severity <= byInput[input];
        }
    }
}
