package io.millrace.collector;

import io.millrace.internal.receive.TransportCheck;
import io.millrace.internal.record.FrameWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The checked settings of a collector, created by {@link CollectorBuilder#build()}.
 *
 * @param inputs the inputs of UDP
 * @param streams the inputs on TCP and Unix sockets; at least one of the two lists has an input
 * @param dataDirectory the directory of journal and counters
 * @param transport {@code auto}, {@code native}, {@code epoll} or {@code nio}
 * @param receivers the number of receivers, which is the number of shards
 * @param threading never {@link Threading#AUTO}
 * @param receiveBufferBytes the receive buffer to request for each socket
 * @param maxDatagramBytes the maximum payload
 * @param gro the kernel combines datagrams to GRO batches, which the collector splits
 * @param steering how the kernel distributes datagrams among receivers
 * @param packetTimestamps per-packet timestamps at any rate
 * @param busyPoll receivers never sleep
 * @param receiveLatency how long a datagram may wait in its socket so that several are read together
 * @param receiverPinning the CPUs of receivers
 * @param writerPinning the CPUs of dedicated journal writers
 * @param policy who may send, and how much
 * @param slabBytes the size of a slab
 * @param slabsPerRing the number of slabs per shard
 * @param journal when files roll
 * @param retention the retention of the journal
 * @param sources true for source tracking
 * @param silentAfter when sources are reported as silent
 * @param stopTimeout the time limit for draining the sockets at the stop
 * @param stopLinger how long the stop keeps the drained sockets open to count later datagrams
 */
public record CollectorSettings(
        List<Input> inputs,
        List<StreamInput> streams,
        Path dataDirectory,
        String transport,
        int receivers,
        Threading threading,
        int receiveBufferBytes,
        int maxDatagramBytes,
        boolean gro,
        Steering steering,
        boolean packetTimestamps,
        boolean busyPoll,
        Duration receiveLatency,
        Pinning receiverPinning,
        Pinning writerPinning,
        PolicySettings policy,
        int slabBytes,
        int slabsPerRing,
        WriterSettings journal,
        RetentionSettings retention,
        boolean sources,
        SilenceRules silentAfter,
        Duration stopTimeout,
        Duration stopLinger) {

    /** The maximum payload of a UDP datagram: over IPv6, without jumbograms (RFC 8200). */
    public static final int MAX_PAYLOAD_BYTES = 65_527;

    /** The maximum number of receivers. */
    public static final int MAX_RECEIVERS = 256;

    /** The minimum receive buffer in bytes. */
    public static final int MIN_RECEIVE_BUFFER = 4096;

    /** The maximum receive buffer in bytes. */
    public static final int MAX_RECEIVE_BUFFER = 1 << 30;

    /** The longest time a datagram may be left waiting in its socket. */
    public static final Duration MAX_RECEIVE_LATENCY = Duration.ofMillis(100);

    private static final int MIN_SLABS = 4;

    /**
     * An input of UDP.
     *
     * @param name the name in the journal, in metrics and in messages
     * @param address the address it listens on
     * @param gelfChunks true if chunks of GELF messages are merged
     */
    public record Input(String name, InetSocketAddress address, boolean gelfChunks) {}

    /** Checks every setting; the message of the exception has the name of the first invalid one and its valid values. */
    public CollectorSettings {
        inputs = List.copyOf(inputs);
        streams = List.copyOf(streams);
        checkInputs(inputs, streams);
        TransportCheck.check(transport, gro, steering, busyPoll);
        check(
                !receiveLatency.isNegative() && receiveLatency.compareTo(MAX_RECEIVE_LATENCY) <= 0,
                "receiveLatency",
                receiveLatency.toMillis() + " ms",
                "0 ms to " + MAX_RECEIVE_LATENCY.toMillis() + " ms");
        checkPinning("receiverPinning", receiverPinning);
        checkPinning("writerPinning", writerPinning);
        check(receivers >= 1 && receivers <= MAX_RECEIVERS, "receivers", receivers, "1 to " + MAX_RECEIVERS);
        check(
                receiveBufferBytes >= MIN_RECEIVE_BUFFER && receiveBufferBytes <= MAX_RECEIVE_BUFFER,
                "receiveBuffer",
                receiveBufferBytes + " bytes",
                MIN_RECEIVE_BUFFER + " bytes to 1 GiB");
        check(
                maxDatagramBytes >= 1 && maxDatagramBytes <= MAX_PAYLOAD_BYTES,
                "maxDatagram",
                maxDatagramBytes + " bytes",
                "1 to " + MAX_PAYLOAD_BYTES + " bytes");
        int minSlab = minSlab(streams, maxDatagramBytes);
        check(
                slabBytes >= minSlab && slabBytes <= 8 << 20,
                "slabs",
                slabBytes + " bytes",
                minSlab + " (one message of maxDatagram, or of an input's maxMessage) to " + (8 << 20) + " bytes");
        check(slabsPerRing >= MIN_SLABS && slabsPerRing <= 4096, "slabs", slabsPerRing, MIN_SLABS + " to 4096");
        check(
                journal.blockBytes() >= 8L * slabBytes,
                "journalFiles",
                journal.blockBytes() + " bytes",
                "blocks of at least eight slabs");
        check(
                retention.sizeBytes() == 0 || retention.sizeBytes() >= leastBytes(receivers, journal),
                "retention size",
                retention.sizeBytes() + " bytes",
                "at least " + leastBytes(receivers, journal) + " bytes, for files of " + receivers + " receivers");
        check(!stopTimeout.isNegative(), "stopTimeout", stopTimeout, "a time that is not negative");
        check(!stopLinger.isNegative(), "stopLinger", stopLinger, "a time that is not negative");
    }

    private static void checkInputs(List<Input> inputs, List<StreamInput> streams) {
        check(!inputs.isEmpty() || !streams.isEmpty(), "listen", "nothing", "at least one address");
        Set<String> names = new HashSet<>();
        for (Input input : inputs) {
            check(names.add(input.name()), "listen", "the name '" + input.name() + "' twice", "each name once");
            check(
                    !input.address().isUnresolved(),
                    "listen",
                    input.address().getHostString(),
                    "an address of this host");
        }
        for (StreamInput stream : streams) {
            check(names.add(stream.name()), "listen", "the name '" + stream.name() + "' twice", "each name once");
        }
    }

    private static int minSlab(List<StreamInput> streams, int maxDatagramBytes) {
        int min = FrameWriter.minCapacity(maxDatagramBytes);
        for (StreamInput stream : streams) {
            min = Math.max(min, FrameWriter.minStreamCapacity(stream.settings().maxMessageBytes()));
        }
        return min;
    }

    private static long leastBytes(int receivers, WriterSettings journal) {
        return 4L * receivers * journal.blockBytes();
    }

    private static void checkPinning(String setting, Pinning pinning) {
        String problem = pinning.problem();
        if (problem != null) {
            throw new IllegalArgumentException(setting + ": " + problem);
        }
    }

    private static void check(boolean good, String setting, Object got, String takes) {
        if (!good) {
            throw new IllegalArgumentException(setting + " takes " + takes + ", not " + got);
        }
    }
}
