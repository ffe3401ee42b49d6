package io.millrace.collector;

import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.counters.JournalStatus;
import io.millrace.counters.Ledger;
import io.millrace.counters.ShardCounters;
import io.millrace.counters.SocketCounters;
import io.millrace.counters.StreamCounters;
import io.millrace.deliver.DeliveryStage;
import io.millrace.deliver.SinkStatus;
import io.millrace.handoff.BoundSocket;
import io.millrace.journal.read.Journal;
import io.millrace.metrics.CollectorMetrics;
import io.millrace.policy.PolicySettings;
import io.millrace.receive.ReceiveStage;
import io.millrace.sources.SourcesStatus;
import io.millrace.transport.stream.Endpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP collector: datagrams arrive on its inputs and are appended to its journal, and each is accounted for.
 *
 * <pre>{@code
 * try (Collector collector = Collector.builder()
 *         .listen("syslog", new InetSocketAddress(5514))
 *         .journal(Path.of("data"))
 *         .build()
 *         .start()) {
 *     try (JournalCursor cursor = collector.journal().cursor().fromEnd().open()) {
 *         cursor.poll((datagram, position) -> System.out.println(datagram.payloadText()));
 *     }
 * }
 * }</pre>
 *
 * <p>A collector is started once and closed once. All methods may be called from any thread.
 */
public final class Collector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Collector.class);

    private final CollectorSettings settings;
    private final Start start;
    private volatile @Nullable Running running;
    private volatile @Nullable List<SinkStatus> lastOutputs;
    private boolean closed;

    Collector(CollectorSettings settings, List<DeliveryStage.Output> outputs, List<BoundSocket> adopted) {
        this.settings = settings;
        this.start = new Start(settings, List.copyOf(outputs), adopted);
    }

    /** Begins to describe a collector. */
    public static CollectorBuilder builder() {
        return new CollectorBuilder();
    }

    /**
     * Takes the data directory, binds the sockets, and begins to receive.
     *
     * @return this collector
     * @throws IOException if the directory is in use or cannot be written, or an address cannot be bound; the message
     *     names it and says what to do. Nothing is left open, also not the sinks of the outputs
     * @throws IllegalStateException if it was started before, also if that failed: build another
     */
    public synchronized Collector start() throws IOException {
        if (running != null || closed) {
            throw new IllegalStateException("a collector starts once");
        }
        running = start.open();
        return this;
    }

    /**
     * Stops: refuses what arrives from now on, reads the sockets until they are empty, closes them, appends everything
     * that was read, syncs the journal, and delivers what it holds to the outputs that can take it. Bounded in time by {@code
     * stopTimeout} and {@code stopLinger}. A second call does nothing.
     *
     * @throws IOException if a step failed; the others were done all the same
     */
    @Override
    public synchronized void close() throws IOException {
        Running open = running;
        if (closed) {
            return;
        }
        closed = true;
        if (open == null) {
            start.cancel().forEach(e -> LOG.warn("What was never started did not close well", e));
            return;
        }
        UninterruptibleTask.run(() -> new Stop(settings, open).close());
    }

    /**
     * Stops like {@link #close()}, but so that another process can go on with the sockets, of which it has duplicates (see {@link
     * #boundSockets()}): what waits in them, and what arrives, is left for it. Outputs end while datagrams are still read, at what is
     * on its way: the other process goes on with the rest. Bounded in time by {@code stopTimeout}.
     *
     * @param onReleased called as soon as the data directory is free, on a thread of its own, with the time since which nobody
     *     reads, in ns since 1970; it must not close or change this collector, which waits for it; not called if something is
     *     in use until this process ends
     * @throws IOException if a step failed; the others were done all the same
     * @throws IllegalArgumentException if the transport has no sockets that can be passed
     * @throws IllegalStateException if the collector does not run
     */
    public synchronized void handoff(LongConsumer onReleased) throws IOException {
        Running open = opened();
        ReceiveStage.checkPassing(transport());
        closed = true;
        UninterruptibleTask.run(() -> {
            Stop stop = new Stop(settings, open);
            stop.handoff(onReleased);
            lastOutputs = stop.outputs();
        });
    }

    /**
     * Puts another policy in place of the one there is, while datagrams come. Everybody begins with a full second of a limit that
     * is new.
     */
    public synchronized void setPolicy(PolicySettings policy) {
        opened().receive().setPolicy(policy);
    }

    /**
     * Changes the outputs, while datagrams come and the other outputs go on. An output that ends delivers what it can in the
     * time of {@code stopTimeout}; one that begins goes on where one of its name ended.
     *
     * @param unchanged the names of outputs that stay as they are
     * @param others outputs to begin; one of the same name ends before that
     * @throws IllegalArgumentException if a name is given twice, or nothing of such a name is there to stay
     */
    public synchronized void setOutputs(Set<String> unchanged, List<DeliveryStage.Output> others) {
        opened().delivery()
                .change(
                        unchanged,
                        others,
                        System.nanoTime() + settings.stopTimeout().toNanos());
    }

    private Running opened() {
        if (closed) {
            throw new IllegalStateException("the collector is closed");
        }
        return required();
    }

    /** Where every datagram went. Can be asked after the close too, and is then complete. */
    public Ledger ledger() {
        return required().ledger().read();
    }

    /** The {@link #ledger()} without the host's counters: reads no file. */
    public Ledger ledgerWithoutHost() {
        return required().ledger().readWithoutHost();
    }

    /** What keeps the collector from doing its work now, each in words; empty if nothing does. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (required().receive().isBroken()) {
            problems.add("a receiver's thread has ended: nothing is received; see the log, and start again");
        }
        problems.addAll(required().writing().problems());
        return problems;
    }

    /** What the journal needs room on the disk for, in words, while what was received waits for that in memory; null if it does not. */
    public @Nullable String waitsForRoom() {
        return required().writing().waitsForRoom();
    }

    /** How each output stands, in the order they were given. */
    public List<SinkStatus> outputs() {
        List<SinkStatus> last = lastOutputs;
        if (last != null) {
            return last;
        }
        return required().delivery().status();
    }

    /** What is known of the sources of datagrams; null if they are not watched. */
    public @Nullable SourcesStatus sources() {
        Running.Watching watching = required().watching();
        return watching == null ? null : watching.watch().status();
    }

    /** What the journal's files are, about a second ago. */
    public JournalStatus files() {
        return required().retaining().retention().status();
    }

    /** The journal, to read. */
    public Journal journal() {
        return required().journal();
    }

    /** What each socket has brought, by input and then by shard. */
    public List<SocketCounters> sockets() {
        return required().receive().sockets();
    }

    /** The cells of each shard, those of earlier runs included; to look at. */
    public List<ShardCounters> shards() {
        CounterFile counters = required().counters();
        return IntStream.range(0, counters.shardCount())
                .mapToObj(counters::shard)
                .toList();
    }

    /** The counters as metrics, to be bound to a Micrometer registry. */
    public CollectorMetrics metrics() {
        Running open = required();
        return new CollectorMetrics(
                open.counters(),
                sockets(),
                streams(),
                settings.receiveBufferBytes(),
                settings.dataDirectory(),
                open.retaining().retention()::status,
                open.delivery()::status,
                settings.sources() ? this::sources : null);
    }

    /** Where inputs of connections listen, and those of datagrams of Unix sockets, in the order they were given. */
    public List<Endpoint> endpoints() {
        return required().receive().listeners().endpoints();
    }

    /** What inputs of connections have brought, by input and then by shard. */
    public List<StreamCounters> streams() {
        return required().receive().listeners().counters();
    }

    /** The addresses the inputs of UDP are bound to, in the order they were given. */
    public List<InetSocketAddress> addresses() {
        return required().receive().addresses();
    }

    /**
     * The sockets, to be passed to another process, which goes on with them after {@link #handoff}: by input in the order given,
     * and for each in the order of its receivers.
     *
     * @throws IllegalArgumentException if the transport has none that can be passed
     */
    public List<BoundSocket> boundSockets() {
        return required().receive().boundSockets();
    }

    /** Name of the transport in use. */
    public String transport() {
        return required().receive().transport();
    }

    /** The smallest receive buffer the kernel granted to a socket, in bytes: see {@link CollectorSettings#receiveBufferBytes()}. */
    public int grantedReceiveBuffer() {
        return required().receive().grantedReceiveBuffer();
    }

    /** A counter's growth since the start, over all shards. */
    public long sinceStart(Counter counter) {
        return required().ledger().since(counter);
    }

    /** How long it took to open the journal at the start, in ns. */
    public long journalOpenNs() {
        return required().journalOpenNs();
    }

    /** What the collector runs with. */
    public CollectorSettings settings() {
        return settings;
    }

    private Running required() {
        Running open = running;
        if (open == null) {
            throw new IllegalStateException("the collector has not been started");
        }
        return open;
    }
}
