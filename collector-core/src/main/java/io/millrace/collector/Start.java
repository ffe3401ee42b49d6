package io.millrace.collector;

import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.AgentRunner;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.counters.LedgerAccounting;
import io.millrace.internal.deliver.DeliveryStage;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.DataDirectory;
import io.millrace.internal.journal.JournalPaths;
import io.millrace.internal.journal.write.Retention;
import io.millrace.internal.receive.ReceiveStage;
import io.millrace.internal.sources.SourceTracker;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.InputAddress;
import io.millrace.internal.transport.SocketSettings;
import io.millrace.journal.Journal;
import io.millrace.sink.Output;
import io.millrace.transport.EpochClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The start of a collector, in the order of {@link #begin}. If a step fails, everything is closed. Used once. One
 * thread at a time.
 */
final class Start {
    private static final Logger LOG = LoggerFactory.getLogger(Start.class);
    /** How many datagrams per second and receiver source tracking reads: each takes it 30 to 130 ns. */
    private static final long SOURCES_PER_SECOND = 250_000;
    /**
     * Nothing waits for source tracking. With a still lower share, a thread that holds a kernel lock would block others
     * for longer.
     */
    private static final int SOURCES_NICE = 10;

    private final CollectorSettings settings;
    private final List<Output> outputs;
    private final List<BoundSocket> adopted;
    private final NeededThreads threads;
    private final Closeable closeAdopted;
    private final List<PassedStream> passedStreams = new ArrayList<>();
    /** Opened resources, the most recent last. */
    private final List<Closeable> undo = new ArrayList<>();

    /** Takes the sinks of the outputs and adopted sockets, which {@link #cancel} closes as well. */
    Start(
            CollectorSettings settings,
            List<Output> outputs,
            List<BoundSocket> adopted,
            UncaughtExceptionHandler onFatal) {
        this.settings = settings;
        this.threads = new NeededThreads(onFatal);
        this.outputs = outputs;
        this.adopted = adopted;
        this.closeAdopted = () -> {
            BoundSocket.close(adopted);
            PassedStream.close(passedStreams);
        };
        undo.add(this::closeSinks);
        undo.add(closeAdopted);
    }

    /** Takes listeners and connections of another process. */
    void adoptStreams(List<PassedStream> streams) {
        passedStreams.addAll(streams);
    }

    /**
     * Opens everything and starts to receive.
     *
     * @throws IOException if a step failed; everything is closed then
     */
    Running open() throws IOException {
        if (undo.isEmpty()) {
            throw new IllegalStateException("a collector starts once");
        }
        try {
            Running running = begin();
            undo.clear();
            return running;
        } catch (IOException | RuntimeException | Error e) {
            cancel().forEach(e::addSuppressed);
            throw e;
        }
    }

    /**
     * Closes all opened resources.
     *
     * @return the failures of closing
     */
    List<Exception> cancel() {
        List<Exception> failures = new ArrayList<>();
        threads.release();
        for (int i = undo.size() - 1; i >= 0; i--) {
            try {
                undo.get(i).close();
            } catch (IOException | RuntimeException e) {
                failures.add(e);
            }
        }
        undo.clear();
        return failures;
    }

    private SocketSettings socketSettings() {
        // If receivers share a flow, only timestamps define its order.
        boolean shared = settings.get(CollectorSettings.STEERING) != Steering.HASH && settings.receivers() > 1;
        return new SocketSettings(
                settings.get(CollectorSettings.RECEIVE_BUFFER),
                settings.get(CollectorSettings.MAX_DATAGRAM),
                settings.get(CollectorSettings.GRO),
                settings.get(CollectorSettings.STEERING),
                settings.get(CollectorSettings.PACKET_TIMESTAMPS) || shared,
                settings.get(CollectorSettings.BUSY_POLL));
    }

    private Running begin() throws IOException {
        DataDirectory directory = DataDirectory.open(settings.dataDirectory());
        undo.add(directory::close);
        List<Integer> ids = directory.register(inputNames(), settings.receivers());
        HostCounters host = HostCounters.read();
        DropMarks marks = adopted.isEmpty() ? DropMarks.none() : DropMarks.read(directory.socketsFile());
        // From here on they are closed with the sockets of the inputs.
        undo.remove(closeAdopted);
        // Binding fails most often, so it comes before anything is written.
        ReceiveStage receive = bind(ids, marks);
        Closeable closeReceivers = receive::close;
        undo.add(closeReceivers);
        CounterFile counters = directory.openCounters();
        logKill(counters.unstoppedSince());
        directory.saveMeta();

        long startNs = System.nanoTime();
        JournalStage writing = JournalStage.open(settings, directory, counters, undo);
        long journalOpenNs = System.nanoTime() - startNs;
        // The crash is accounted for: the ledger of this process starts after it.
        directory.noteHost(counters);
        LedgerAccounting ledger = LedgerAccounting.open(counters, host);
        undo.add(ledger::close);
        sync(counters);
        writing.start(threads, undo);
        Journal journal = Journal.open(settings.dataDirectory());
        DeliveryStage delivery = new DeliveryStage(outputs, journal, counters, writing.appends(), threads);
        Running.Watching watching =
                settings.get(CollectorSettings.SOURCES) ? watch(journal, counters, writing.appends()) : null;
        Running.Retaining retaining = retain(directory, counters, delivery, writing);
        // From here on they use the writers, and so end before them.
        undo.remove(closeReceivers);
        undo.add(closeReceivers);
        receive.start(writing.shards(), threads);
        if (watching != null) {
            watching.runner().start(threads);
        }
        undo.add(() -> delivery.stop(System.nanoTime()));
        delivery.start();
        retaining.runner().start(threads);
        // From here on this process counts the drops.
        DropMarks.forget(directory.socketsFile());
        return new Running(
                directory,
                counters,
                ledger,
                receive,
                writing,
                journal,
                watching,
                delivery,
                retaining,
                threads,
                journalOpenNs);
    }

    private static void logKill(@Nullable Instant started) {
        if (started != null) {
            LOG.warn(
                    "The last process, started at {}, was killed, or the host failed. Datagrams in its sockets may be lost, and"
                            + " are not in the ledger",
                    started.truncatedTo(ChronoUnit.SECONDS));
        }
    }

    /** Before anything is received: after a power failure, the next start finds that this process did not stop. */
    private static void sync(CounterFile counters) {
        try {
            counters.sync();
        } catch (UncheckedIOException e) {
            LOG.warn(
                    "The counters could not be synced at the start; after a power failure the next start may not notice it",
                    e);
        }
    }

    /** The inputs of UDP come first. */
    private List<String> inputNames() {
        return Stream.concat(
                        settings.inputs().stream().map(CollectorSettings.Input::name),
                        settings.streams().stream().map(StreamInput::name))
                .toList();
    }

    /** Binds all inputs, whose ids are in the order of their names. */
    private ReceiveStage bind(List<Integer> ids, DropMarks marks) throws IOException {
        List<InputAddress> inputs = new ArrayList<>();
        for (CollectorSettings.Input input : settings.inputs()) {
            inputs.add(new InputAddress(input.name(), ids.get(inputs.size()), input.address(), input.gelfChunks()));
        }
        return ReceiveStage.bind(
                new ReceiveStage.Settings(
                        settings.get(CollectorSettings.TRANSPORT),
                        socketSettings(),
                        settings.get(CollectorSettings.RECEIVER_CPUS),
                        settings.policy(),
                        settings.get(CollectorSettings.LATENCY)),
                inputs,
                settings.streams(),
                ids.subList(inputs.size(), ids.size()),
                settings.receivers(),
                adopted,
                passedStreams,
                marks);
    }

    private Running.Retaining retain(
            DataDirectory directory, CounterFile counters, DeliveryStage delivery, JournalStage writing)
            throws IOException {
        Retention retention = new Retention(
                directory,
                counters,
                settings.retention(),
                delivery::acknowledged,
                writing::refreshListing,
                EpochClock.system());
        Agent upkeep = new Housekeeping(counters, writing.pathCheck(), retention);
        return new Running.Retaining(retention, AgentRunner.daemon(upkeep, retention::idle));
    }

    private Running.Watching watch(Journal journal, CounterFile counters, AppendSignal appends) throws IOException {
        // The numbers of a source are in order only within a shard.
        boolean numbering = settings.get(CollectorSettings.STEERING) == Steering.HASH || settings.receivers() == 1;
        SourceTracker watch = new SourceTracker(
                journal,
                counters,
                new SourceTracker.Settings(
                        settings.silentAfter().others(),
                        numbering,
                        JournalPaths.sourcesFile(settings.dataDirectory()),
                        SOURCES_PER_SECOND * settings.receivers()));
        Running.Watching watching =
                new Running.Watching(watch, AgentRunner.nice(watch, watch.idle(appends.newReader()), SOURCES_NICE));
        undo.add(watching::stop);
        watch.rules(none -> settings.silentAfter());
        watching.denied(settings.policy());
        watch.begin();
        return watching;
    }

    private void closeSinks() {
        for (Output output : outputs) {
            try {
                output.sink().close();
            } catch (IOException | RuntimeException e) {
                LOG.warn("Output {} did not close well: {}", output.settings().name(), e.toString());
            }
        }
    }
}
