package io.millrace.internal.receive;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.CertificateStatus;
import io.millrace.collector.Pinning;
import io.millrace.collector.PolicySettings;
import io.millrace.collector.Steering;
import io.millrace.collector.StreamInput;
import io.millrace.collector.Successor;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.counters.SocketCells;
import io.millrace.internal.ring.SlabRing;
import io.millrace.internal.tls.TlsServer;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.InputAddress;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.ReceiveSocket;
import io.millrace.internal.transport.SocketBinder;
import io.millrace.internal.transport.SocketSettings;
import io.millrace.internal.transport.Transport;
import io.millrace.internal.transport.Transports;
import io.millrace.internal.transport.stream.StreamListeners;
import io.millrace.transport.EpochClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All receivers of a collector: opens a socket for each input and shard, starts the loops, and stops them in the order
 * in which nothing goes uncounted. One thread.
 */
public final class ReceiveStage {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiveStage.class);
    /** Without a filter the sockets never run empty under load: how long the stop reads, in ns. */
    private static final long DRAIN_UNFILTERED_NS = 1_000_000_000L;
    /** With connections only: read coalescing assumes this receive buffer. */
    private static final int STREAM_BUFFER_BYTES = 4 << 20;

    /**
     * What a receiver needs of its shard.
     *
     * @param sharedWriter the journal writer, to run on the receiver's thread after each cycle; null if it has its own thread
     */
    public record Shard(
            SlabRing ring, ShardCells counters, @Nullable Agent sharedWriter) {}

    /**
     * How to receive.
     *
     * @param transport {@code auto}, {@code native}, {@code epoll} or {@code nio}
     * @param socket settings of each socket
     * @param pinning the CPUs receivers run on
     * @param policy who may send, and how much
     * @param latency how long a datagram may wait in its socket so that several are read together; zero for not at all
     */
    public record Settings(
            String transport, SocketSettings socket, Pinning pinning, PolicySettings policy, Duration latency) {}

    private final Settings settings;
    private final Transport transport;
    private final List<List<ListeningSocket>> sockets;
    private final List<InetSocketAddress> addresses;
    private final StreamListeners listeners;
    private final int grantedReceiveBuffer;
    private final List<EventLoop> loops = new CopyOnWriteArrayList<>();
    private final List<Receiver> receivers = new ArrayList<>();
    private final ActivePolicy policy;
    private volatile boolean canRefuse;

    private ReceiveStage(
            Settings settings,
            Transport transport,
            List<List<ListeningSocket>> sockets,
            List<InetSocketAddress> addresses,
            StreamListeners listeners,
            Map<String, Integer> inputs) {
        this.settings = settings;
        this.transport = transport;
        this.sockets = sockets;
        this.addresses = List.copyOf(addresses);
        this.listeners = listeners;
        this.grantedReceiveBuffer = sockets.stream()
                .flatMap(List::stream)
                .mapToInt(listening -> listening.socket().grantedReceiveBuffer())
                .min()
                .orElse(0);
        this.policy = new ActivePolicy(settings.policy(), inputs);
        this.canRefuse = transport.canRefuse();
    }

    /**
     * Opens and binds the sockets of each input, one a shard. Datagrams and connections wait in them until {@link #start}.
     *
     * @param streams inputs of connections
     * @param streamIds their ids in the journal
     * @param passed sockets that are bound already, which inputs of the same address take; all of them are closed if it fails
     * @param passedStreams listeners and connections of another process, in the same way
     * @param marks how far the drops of those are counted
     * @throws IOException if an input cannot be bound; the message names it and says what to do
     */
    public static ReceiveStage bind(
            Settings settings,
            List<InputAddress> inputs,
            List<StreamInput> streams,
            List<Integer> streamIds,
            int shards,
            List<BoundSocket> passed,
            List<PassedStream> passedStreams,
            DropMarks marks)
            throws IOException {
        Transport transport = Transports.selectAndLog(settings.transport());
        if (settings.socket().steering() == Steering.SPREAD && !transport.tellsTime()) {
            LOG.warn(
                    "Steering spread with transport {}: its receive times are taken when a datagram is read, so the order"
                            + " of a source's datagrams in different shards is lost; the transport native keeps it",
                    transport.name());
        } else if (settings.socket().packetTimestamps() && !transport.tellsTime()) {
            LOG.warn(
                    "Receive times with transport {} are taken when datagrams are read; the transport native has the kernel's"
                            + " time of each",
                    transport.name());
        }
        SocketBinder binder = new SocketBinder(transport, settings.socket(), marks);
        List<List<ListeningSocket>> sockets;
        try {
            sockets = binder.bind(inputs, shards, passed);
        } catch (IOException | RuntimeException e) {
            PassedStream.close(passedStreams);
            throw e;
        }
        List<InetSocketAddress> bound = sockets.get(0).stream()
                .map(listening -> listening.socket().localAddress())
                .toList();
        try {
            StreamListeners listeners =
                    StreamListeners.bind(streams, streamIds, transport.isOnEpoll(), shards, passedStreams);
            return new ReceiveStage(settings, transport, sockets, bound, listeners, ids(inputs, streams, streamIds));
        } catch (IOException | RuntimeException e) {
            SocketBinder.closeAll(sockets);
            throw e;
        }
    }

    /** The ids of all inputs, by name. */
    private static Map<String, Integer> ids(
            List<InputAddress> inputs, List<StreamInput> streams, List<Integer> streamIds) {
        Map<String, Integer> ids = new HashMap<>();
        inputs.forEach(input -> ids.put(input.name(), input.id()));
        for (int i = 0; i < streams.size(); i++) {
            ids.put(streams.get(i).name(), streamIds.get(i));
        }
        return ids;
    }

    /**
     * Starts to read.
     *
     * @param shards one per shard
     * @param threads become the threads of the receivers, too
     */
    public void start(List<Shard> shards, NeededThreads threads) throws IOException {
        for (int i = 0; i < shards.size(); i++) {
            Shard shard = shards.get(i);
            SlabFiller filler = new SlabFiller(shard.ring(), shard.counters());
            List<ListeningSocket> ofShard = new ArrayList<>(sockets.get(i));
            ofShard.addAll(listeners.datagramsOfShard(i));
            Receiver receiver = new Receiver(i, ofShard, filler, shard.counters(), EpochClock.system(), policy.gate());
            receivers.add(receiver);
            loops.add(new EventLoop(
                    transport,
                    ofShard,
                    listeners.ofShard(i),
                    receiver,
                    shard.sharedWriter(),
                    shard.counters(),
                    settings,
                    threads,
                    addresses.isEmpty() ? STREAM_BUFFER_BYTES : grantedReceiveBuffer,
                    i,
                    shards.size()));
        }
        for (EventLoop loop : loops) {
            loop.start();
        }
        policy.start();
    }

    /** Puts another policy in place of the one there is; one that is the same stays, and with it what everybody has left. */
    public void setPolicy(PolicySettings next) {
        if (policy.replace(next)) {
            receivers.forEach(receiver -> receiver.gate(policy.gate()));
        }
    }

    /**
     * The sockets, to be passed to another process: by input, and for each in the order of its receivers.
     *
     * @throws IllegalArgumentException if the transport cannot
     */
    public List<BoundSocket> boundSockets() {
        Transports.checkPassing(transport.name());
        List<BoundSocket> bound = new ArrayList<>();
        for (int input = 0; input < addresses.size(); input++) {
            for (List<ListeningSocket> ofShard : sockets) {
                ReceiveSocket socket = ofShard.get(input).socket();
                bound.add(new BoundSocket(socket.descriptor(), socket.isKept()));
            }
        }
        return bound;
    }

    /**
     * Before the first step of the stop: stops reading sockets that another process continues to read. Waiting datagrams stay in
     * them.
     *
     * @param all also those that are not kept, because another process has duplicates of them
     * @param boundNs how long it may take to find room for what was read
     * @param marks takes down how far their drops are counted
     * @throws IOException if a receiver does not answer; the others have left anyway
     */
    public void leave(boolean all, long boundNs, DropMarks marks) throws IOException {
        long startNs = System.nanoTime();
        each(loop -> {
            if (!loop.leave(all, leftNs(boundNs, startNs), marks)) {
                LOG.error("The journal does not take what was read last: it is counted as crash at the next start");
            }
        });
    }

    /** For a process that continues: passes it all listeners and connections of streams; see {@link StreamStop#passOn}. */
    public int passStreams(Successor to) throws IOException {
        return listeners.endpoints().isEmpty()
                ? 0
                : StreamStop.passOn(loops.stream().map(EventLoop::streamStop).toList(), to);
    }

    /** Before the other steps: ends all connections, and returns how many there were; see {@link StreamStop#all}. */
    public int stopStreams(long readNs, long boundNs) throws IOException, InterruptedException {
        return listeners.endpoints().isEmpty()
                ? 0
                : StreamStop.all(loops.stream().map(EventLoop::streamStop).toList(), readNs, boundNs);
    }

    /** First step of the stop: all sockets refuse, and count, what arrives from now on, where the transport can. */
    public void refuse() throws IOException {
        canRefuse = false;
        boolean[] all = {true};
        each(loop -> all[0] &= loop.refuse());
        canRefuse = all[0];
    }

    /**
     * Second step: reads all sockets until they are empty.
     *
     * @param boundNs how long that may take
     * @throws IOException if a receiver does not answer; the others have read theirs anyway
     */
    public void drain(long boundNs) throws IOException {
        long startNs = System.nanoTime();
        each(loop -> {
            long leftNs = leftNs(boundNs, startNs);
            if (!loop.drain(canRefuse ? leftNs : Math.min(leftNs, DRAIN_UNFILTERED_NS))) {
                LOG.warn("A socket was not empty when the time to stop was over: what is left in it is lost uncounted");
            }
        });
    }

    private static long leftNs(long boundNs, long startNs) {
        return Math.max(0, boundNs - (System.nanoTime() - startNs));
    }

    /** Last step: reads the drops once more, closes the sockets, and ends the threads. */
    public void close() throws IOException {
        policy.close();
        try {
            each(EventLoop::close);
        } finally {
            // Those of loops that were never made, after a start that failed.
            SocketBinder.closeAll(sockets.subList(loops.size(), sockets.size()));
            listeners.close();
        }
    }

    /** Something to do with a receiver. */
    @FunctionalInterface
    private interface Step {
        void take(EventLoop loop) throws IOException;
    }

    /** Takes a step with every receiver, also after an {@code IOException} with one, and then throws the first of these. */
    private void each(Step step) throws IOException {
        IOException failure = null;
        for (EventLoop loop : loops) {
            try {
                step.take(loop);
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Name of the transport in use. */
    public String transport() {
        return transport.name();
    }

    /** The addresses the inputs are bound to, in their order. */
    public List<InetSocketAddress> addresses() {
        return addresses;
    }

    /** The listening sockets of inputs of connections. Any thread. */
    public StreamListeners listeners() {
        return listeners;
    }

    /** The counters of each socket, by input and then by shard. Any thread. */
    public List<SocketCells> sockets() {
        return Stream.concat(
                        sockets.stream(), IntStream.range(0, sockets.size()).mapToObj(listeners::datagramsOfShard))
                .flatMap(List::stream)
                .map(ListeningSocket::counters)
                .sorted(Comparator.comparing(SocketCells::input).thenComparing(SocketCells::shard))
                .toList();
    }

    /** The smallest receive buffer granted to a socket, in bytes. */
    public int grantedReceiveBuffer() {
        return grantedReceiveBuffer;
    }

    /** True if every receiver's thread has ended, after {@link #close()}: nothing of theirs is in use any more. */
    public boolean ended() {
        return loops.stream().allMatch(EventLoop::ended);
    }

    /** True if the thread of the receiver of a shard has ended, after {@link #close()}. */
    public boolean ended(int shard) {
        return loops.get(shard).ended();
    }

    /** True if a socket outlives this process: the service manager has it too. */
    public boolean keepsSockets() {
        return sockets.stream()
                .flatMap(List::stream)
                .anyMatch(listening -> listening.socket().isKept());
    }

    /** Why nothing is received, for a person; empty if it is. Any thread. */
    public List<String> problems() {
        return loops.stream().anyMatch(EventLoop::isDead)
                ? List.of("a receiver's thread has ended: nothing is received; see the log, and start again")
                : List.of();
    }

    /** The certificates of inputs on TLS. Any thread. */
    public List<CertificateStatus> certificates() {
        return listeners.tlsServers().stream().map(TlsServer::status).toList();
    }

    /** Reads the certificates of inputs on TLS again. Any thread. */
    public void reloadCertificates() {
        listeners.tlsServers().forEach(TlsServer::reload);
    }

    /** True if the sockets can refuse, and so have counted, what arrives after the stop began. */
    public boolean canRefuse() {
        return canRefuse;
    }
}
