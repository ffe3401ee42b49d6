package io.millrace.collector;

import io.millrace.collector.StreamCounters.SenderNotice;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.metrics.CollectorMeters;
import io.millrace.internal.receive.ReceiveStage;
import io.millrace.internal.tls.JdkTls;
import io.millrace.internal.transport.Transports;
import io.millrace.journal.Journal;
import io.millrace.sink.Output;
import io.millrace.sink.Output.Redelivered;
import io.millrace.sink.SinkStatus;
import io.millrace.sink.StartAt;
import java.io.IOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A collector: it receives datagrams and messages of connections on its inputs, appends them to its journal, and accounts for each.
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

    static {
        JdkTls.limit();
    }

    private final CollectorSettings settings;
    private final Start start;
    private volatile @Nullable Running running;
    private volatile @Nullable List<SinkStatus> lastOutputs;
    private boolean closed;

    Collector(
            CollectorSettings settings,
            List<Output> outputs,
            List<BoundSocket> adopted,
            UncaughtExceptionHandler onFatal) {
        this.settings = settings;
        this.start = new Start(settings, List.copyOf(outputs), adopted, onFatal);
    }

    /** Creates a builder. */
    public static CollectorBuilder builder() {
        return new CollectorBuilder();
    }

    /**
     * Locks the data directory, binds the sockets, and starts to receive.
     *
     * @return this collector
     * @throws IOException if the directory is in use or cannot be written, or an address cannot be bound; the message
     *     names it and the remedy. Everything is closed then, including the sinks
     * @throws IllegalStateException if it was started before, even if that failed: build another one
     */
    public synchronized Collector start() throws IOException {
        if (running != null || closed) {
            throw new IllegalStateException("a collector starts once");
        }
        running = start.open();
        return this;
    }

    /**
     * Stops the collector: rejects new datagrams, drains and closes the sockets, appends everything that was read,
     * syncs the journal, and delivers to the outputs that accept it. Bounded in time by {@code stopTimeout} and {@code
     * stopLinger}. A second call does nothing.
     *
     * @throws IOException if a step failed; the others were executed
     */
    @Override
    public synchronized void close() throws IOException {
        Running open = running;
        if (closed) {
            return;
        }
        closed = true;
        if (open == null) {
            start.cancel().forEach(e -> LOG.warn("A part that was never started did not close well", e));
            return;
        }
        UninterruptibleTask.run(() -> new Stop(settings, open).close());
    }

    /**
     * Gives the collector listeners and connections of stream inputs that the previous process has passed on (see {@link
     * Successor#take}). To be called before {@link #start}. Those of which no input listens at the same address are closed then.
     */
    public synchronized void adoptStreams(List<PassedStream> streams) {
        start.adoptStreams(streams);
    }

    /**
     * Stops like {@link #close()}, but leaves the sockets to another process that has duplicates of them (see {@link
     * #boundSockets()}). Datagrams that wait in them or arrive later are for that process. Connections are passed to it.
     * Outputs settle batches in flight while datagrams are still read; the other process continues from there. Bounded in
     * time by {@code stopTimeout}.
     *
     * @param successor the other process; called on another thread
     * @throws IOException if a step failed; the others were executed
     * @throws IllegalArgumentException if the transport cannot pass sockets
     * @throws IllegalStateException if the collector does not run
     */
    public synchronized void handoff(Successor successor) throws IOException {
        Running open = opened();
        Transports.checkPassing(transport());
        closed = true;
        UninterruptibleTask.run(() -> {
            Stop stop = new Stop(settings, open);
            stop.handoff(successor);
            lastOutputs = stop.outputs();
        });
    }

    /** Reads the certificates of inputs on TLS again. Open connections continue with theirs. */
    public void reloadCertificates() {
        ReceiveStage receive;
        synchronized (this) {
            receive = opened().receive();
        }
        // Without the lock: the stop does not wait for a file system that hangs.
        receive.reloadCertificates();
    }

    /** Replaces the policy while datagrams are received. Each source starts with the full burst of a new limit. */
    public synchronized void setPolicy(PolicySettings policy) {
        opened().setPolicy(policy);
    }

    /** Changes when sources are reported as silent. It has no effect without source tracking. */
    public synchronized void setSilentAfter(SilenceRules rules) {
        opened().setSilentAfter(rules);
    }

    /**
     * Changes the outputs while datagrams are received; other outputs continue. A removed output delivers what it can
     * within {@code stopTimeout}. A new one continues at the positions of an earlier output of its name.
     *
     * @param unchanged the names of outputs that do not change
     * @param others new outputs; an existing one of the same name ends first
     * @throws IllegalArgumentException if a name is given twice, or an unchanged output does not exist
     */
    public synchronized void setOutputs(Set<String> unchanged, List<Output> others) {
        long endNs =
                System.nanoTime() + settings.get(CollectorSettings.STOP_TIMEOUT).toNanos();
        opened().delivery().change(unchanged, others, endNs);
    }

    /** Has all outputs look up their destinations again, which may have moved. */
    public synchronized void refreshOutputs() {
        opened().delivery().refresh();
    }

    /**
     * Makes an output continue elsewhere in the journal: it ends, as at {@link #setOutputs}, and starts again there.
     *
     * @param output the output that starts; one of its name ends
     * @param next the sequence number of the next datagram, by shard (see {@link StartAt#sequences})
     * @throws IOException if the position cannot be stored: then the output continues where it was
     */
    public synchronized void moveOutput(Output output, long[] next) throws IOException {
        long endNs =
                System.nanoTime() + settings.get(CollectorSettings.STOP_TIMEOUT).toNanos();
        opened().delivery().move(output, next, endNs);
    }

    /** Deletes the dead letters of an output, also of one that there is no more; returns how many there were. */
    public long dropDeadLetters(String output) throws IOException {
        return opened().delivery().dropDeadLetters(output);
    }

    /**
     * Delivers the dead letters of an output again. A dead letter is removed when the destination has accepted its message.
     *
     * @return done when the destination has answered for all of them, or the output ends
     * @throws IllegalArgumentException if there is no output of that name
     */
    public CompletableFuture<Redelivered> redeliver(String output) {
        return opened().delivery().redeliver(output);
    }

    private Running opened() {
        if (closed) {
            throw new IllegalStateException("the collector is closed");
        }
        return required();
    }

    /** The loss ledger. It is complete after the close. */
    public Ledger ledger() {
        return required().ledger().read();
    }

    /** The {@link #ledger()} without the host's counters: reads no file. */
    public Ledger ledgerWithoutHost() {
        return required().ledger().readWithoutHost();
    }

    /** The current problems of the collector; empty if there are none. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>(receiveProblems());
        problems.addAll(journalProblems());
        String ended = required().threads().problem();
        if (ended != null) {
            problems.add(ended);
        }
        return problems;
    }

    /** The {@link #problems()} because of which nothing is received. */
    public List<String> receiveProblems() {
        return required().receive().problems();
    }

    /** The {@link #problems()} because of which nothing can be appended to the journal. */
    public List<String> journalProblems() {
        return required().writing().problems();
    }

    /** Faults that do not keep the collector from receiving, such as a certificate that cannot be read; empty if there are none. */
    public List<String> warnings() {
        return certificates().stream()
                .map(CertificateStatus::problem)
                .filter(Objects::nonNull)
                .toList();
    }

    /** The server certificates of inputs on TLS. */
    public List<CertificateStatus> certificates() {
        return required().receive().certificates();
    }

    /** Describes why the journal needs disk space while received datagrams wait in memory; null if it does not. */
    public @Nullable String waitsForRoom() {
        return required().writing().waitsForRoom();
    }

    /** The state of each output, in the order of the builder. */
    public List<SinkStatus> outputs() {
        List<SinkStatus> last = lastOutputs;
        if (last != null) {
            return last;
        }
        return required().delivery().status();
    }

    /** How many datagrams each output has acknowledged, by its name: {@link #outputs} has more, and takes longer. */
    public Map<String, Long> acknowledged() {
        List<SinkStatus> last = lastOutputs;
        return last == null
                ? required().delivery().acked()
                : last.stream()
                        .collect(Collectors.toMap(
                                SinkStatus::name, each -> each.counts().acked()));
    }

    /** The state of the sources; null without source tracking. */
    public @Nullable SourcesStatus sources() {
        Running.Watching watching = required().watching();
        return watching == null ? null : watching.watch().status();
    }

    /**
     * Finds sources; null without source tracking.
     *
     * @param text a part of the address or of the host name in the messages, in any case
     * @param limit how many are returned at most
     * @param withHosts false to search addresses only
     */
    public SourcesStatus.@Nullable Found findSources(String text, int limit, boolean withHosts) {
        Running.Watching watching = required().watching();
        return watching == null ? null : watching.watch().find(text, limit, withHosts);
    }

    /** The state of the journal's files, at most about one second old, or five while nothing is journaled. */
    public JournalStatus files() {
        return required().retaining().retention().status();
    }

    /** The journal, for reading. */
    public Journal journal() {
        return required().journal();
    }

    /** The counters of each socket, by input and then by shard. */
    public List<SocketCounters> sockets() {
        return List.copyOf(required().receive().sockets());
    }

    /** The counters of each shard, including those of earlier runs; read-only. */
    public List<ShardCounters> shards() {
        CounterFile counters = required().counters();
        return IntStream.range(0, counters.shardCount())
                .<ShardCounters>mapToObj(counters::shard)
                .toList();
    }

    /** The counters as metrics for a Micrometer registry. */
    public CollectorMetrics metrics() {
        Running open = required();
        return new CollectorMeters(
                open.counters(),
                open.receive().sockets(),
                open.receive().listeners().counters(),
                settings.get(CollectorSettings.RECEIVE_BUFFER),
                settings.dataDirectory(),
                open.retaining().retention()::status,
                open.delivery()::status,
                settings.get(CollectorSettings.SOURCES) ? this::sources : null);
    }

    /** Where inputs of connections listen, and those of datagrams of Unix sockets, in the order they were given. */
    public List<Endpoint> endpoints() {
        return required().receive().listeners().endpoints();
    }

    /** What inputs of connections have brought, by input and then by shard. */
    public List<StreamCounters> streams() {
        return List.copyOf(required().receive().listeners().counters());
    }

    /** Whose connections inputs refused, closed or could not understand in the last minute, and why. */
    public List<SenderNotice> senderNotices() {
        return required().receive().listeners().notices();
    }

    /** The bound addresses of the inputs of UDP, in the order of the builder. */
    public List<InetSocketAddress> addresses() {
        return required().receive().addresses();
    }

    /**
     * The sockets, to be passed to another process, which uses them after {@link #handoff}. They are ordered by input
     * and then by receiver.
     *
     * @throws IllegalArgumentException if the transport cannot pass sockets
     */
    public List<BoundSocket> boundSockets() {
        return required().receive().boundSockets();
    }

    /** The name of the transport in use. */
    public String transport() {
        return required().receive().transport();
    }

    /** The smallest receive buffer that the kernel granted to a socket, in bytes: see {@link CollectorSettings#RECEIVE_BUFFER}. */
    public int grantedReceiveBuffer() {
        return required().receive().grantedReceiveBuffer();
    }

    /** The growth of a counter since the start, over all shards. */
    public long sinceStart(Counter counter) {
        return required().ledger().since(counter);
    }

    /** The time it took to open the journal at the start, in ns. */
    public long journalOpenNs() {
        return required().journalOpenNs();
    }

    /** The settings of the collector. */
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
