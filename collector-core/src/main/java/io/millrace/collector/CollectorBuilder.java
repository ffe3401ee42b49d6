package io.millrace.collector;

import io.millrace.agent.IdleStrategy;
import io.millrace.agent.Pinning;
import io.millrace.deliver.DeliveryStage;
import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkSettings;
import io.millrace.handoff.BoundSocket;
import io.millrace.journal.RetentionSettings;
import io.millrace.journal.SyncSettings;
import io.millrace.journal.WriterSettings;
import io.millrace.policy.PolicySettings;
import io.millrace.receive.ReceiveStage;
import io.millrace.transport.Steering;
import io.millrace.transport.stream.Endpoint;
import io.millrace.transport.stream.StreamInput;
import io.millrace.transport.stream.StreamSettings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what a collector should be. {@link #build()} checks it; nothing is opened before {@link Collector#start()}. */
public final class CollectorBuilder {
    private static final long FILES_IN_SIZE = 4;

    private final List<CollectorSettings.Input> inputs = new ArrayList<>();
    private final List<StreamInput> streams = new ArrayList<>();
    private Path dataDirectory = Path.of("data");
    private String transport = "auto";
    private int receivers;
    private Threading threading = Threading.AUTO;
    private int receiveBufferBytes = 64 << 20;
    private int maxDatagramBytes = 65_507;
    private boolean gro;
    private Steering steering = Steering.HASH;
    private boolean packetTimestamps;
    private boolean busyPoll;
    private Duration receiveLatency = Duration.ofMillis(5);
    private Pinning receiverPinning = Pinning.NONE;
    private Pinning writerPinning = Pinning.NONE;
    private PolicySettings policy = PolicySettings.NONE;
    private int slabBytes = 256 << 10;
    private int slabsPerRing = 32;
    private IdleStrategy.Kind writerIdle = IdleStrategy.Kind.PARK;
    private WriterSettings journal = WriterSettings.DEFAULT;
    private @Nullable SyncSettings sync;
    private RetentionSettings retention = RetentionSettings.KEEP_ALL;
    private boolean sources;
    private int silentAfter = 3;
    private Duration stopTimeout = Duration.ofSeconds(10);
    private Duration stopLinger = Duration.ZERO;

    private final List<DeliveryStage.Output> outputs = new ArrayList<>();
    private final List<BoundSocket> adopted = new ArrayList<>();

    CollectorBuilder() {}

    /**
     * Adds a destination for what is journaled. The collector closes it.
     *
     * @param settings its name, and how to deliver to it
     * @param sink not shared with another output
     */
    public CollectorBuilder deliver(SinkSettings settings, Sink sink) {
        outputs.add(new DeliveryStage.Output(settings, sink));
        return this;
    }

    /**
     * Adds an input. IPv4, IPv6, or both: {@code ::} takes IPv4 too, whose sources are kept as IPv4 addresses.
     *
     * @param name its name in the journal and in metrics
     * @param address where to listen; port 0 lets the kernel choose, see {@link Collector#addresses()}
     */
    public CollectorBuilder listen(String name, InetSocketAddress address) {
        inputs.add(new CollectorSettings.Input(name, address));
        return this;
    }

    /**
     * Adds an input of connections, or of datagrams of a Unix socket.
     *
     * @param name its name in the journal and in metrics
     * @param endpoint where to listen; see {@link Collector#endpoints()}
     * @param settings what it takes
     */
    public CollectorBuilder listen(String name, Endpoint endpoint, StreamSettings settings) {
        streams.add(new StreamInput(name, endpoint, settings));
        return this;
    }

    /**
     * Adds sockets that are bound already, by systemd or by another process ({@link Collector#boundSockets()}). An input takes those
     * of its address, in their order, and binds what it needs besides if the kernel allows it. They are the collector's to close;
     * one of which nothing listens at its address is an error at the start. Transports {@code native} and {@code epoll}.
     */
    public CollectorBuilder adopt(List<BoundSocket> sockets) {
        adopted.addAll(sockets);
        return this;
    }

    /** The data directory; it is made if it is not there. Default: {@code data}. */
    public CollectorBuilder journal(Path directory) {
        dataDirectory = directory;
        return this;
    }

    /**
     * {@code native} (with the module collector-native), {@code epoll}, {@code nio}, or {@code auto} for the best that
     * works here. Default: {@code auto}.
     */
    public CollectorBuilder transport(String name) {
        transport = name;
        return this;
    }

    /**
     * How many receivers share each input by {@code SO_REUSEPORT}; each has a shard of the journal. 0 is one up to two
     * CPUs, else half as many as there are CPUs. Default: 0.
     */
    public CollectorBuilder receivers(int count) {
        receivers = count;
        return this;
    }

    /** Which threads receivers and writers run on. Default: {@link Threading#AUTO}. */
    public CollectorBuilder threading(Threading choice) {
        threading = choice;
        return this;
    }

    /** Receive buffer to ask for, for each socket, in bytes. Default: 64 MiB. */
    public CollectorBuilder receiveBuffer(int bytes) {
        receiveBufferBytes = bytes;
        return this;
    }

    /** Longest payload to keep, in bytes; the rest of a longer one is truncated and marked. Default: 65,507. */
    public CollectorBuilder maxDatagram(int bytes) {
        maxDatagramBytes = bytes;
        return this;
    }

    /**
     * Lets the kernel put datagrams of the same length from one source, that arrive together, into one piece
     * ({@code UDP_GRO}), which is split here. The kernel then counts drops in such pieces, so the ledger has no figure
     * for them. Pays where a network card or a sender delivers such GRO batches. Only the
     * transport {@code native} can. Default: off.
     */
    public CollectorBuilder gro(boolean on) {
        gro = on;
        return this;
    }

    /**
     * Whether each datagram has the kernel's time of its own, always (transport {@code native}). Default: false, and while
     * many come those that are read together have the time of the last of them. With several receivers and another steering
     * than {@link Steering#HASH} each has its own anyway.
     */
    public CollectorBuilder packetTimestamps(boolean on) {
        packetTimestamps = on;
        return this;
    }

    /** How the kernel chooses among several receivers of a port. Default: {@link Steering#HASH}. */
    public CollectorBuilder steering(Steering choice) {
        steering = choice;
        return this;
    }

    /**
     * Receivers never sleep: each asks for datagrams all the time, and so takes a CPU for itself. Spares the
     * microseconds that waking up takes. Transports {@code native} and {@code epoll}. Default: off.
     */
    public CollectorBuilder busyPoll(boolean on) {
        busyPoll = on;
        return this;
    }

    /**
     * How long a datagram may wait in its socket's receive buffer so that one wake-up reads several. The first datagram after a
     * pause is read at once. Zero: never wait. Default: 5 ms.
     */
    public CollectorBuilder receiveLatency(Duration longest) {
        receiveLatency = longest;
        return this;
    }

    /** CPUs to bind the threads of receivers to. Default: {@link Pinning#NONE}. */
    public CollectorBuilder receiverPinning(Pinning pinning) {
        receiverPinning = pinning;
        return this;
    }

    /** CPUs to bind journal writers with threads of their own to. Default: {@link Pinning#NONE}. */
    public CollectorBuilder writerPinning(Pinning pinning) {
        writerPinning = pinning;
        return this;
    }

    /** Who may send, and how much; {@link Collector#setPolicy} changes it later. Default: {@link PolicySettings#NONE}. */
    public CollectorBuilder policy(PolicySettings settings) {
        policy = settings;
        return this;
    }

    /**
     * Memory of the ring between a receiver and its writer.
     *
     * @param count slabs; default 32
     * @param bytes bytes of each; default 256 KiB
     */
    public CollectorBuilder slabs(int count, int bytes) {
        slabsPerRing = count;
        slabBytes = bytes;
        return this;
    }

    /** What an idle journal writer does in threading dedicated. Default: {@link IdleStrategy.Kind#PARK}. */
    public CollectorBuilder writerIdle(IdleStrategy.Kind kind) {
        writerIdle = kind;
        return this;
    }

    /** When the journal's files roll. Default: {@link WriterSettings#DEFAULT}. */
    public CollectorBuilder journalFiles(WriterSettings settings) {
        journal = settings;
        return this;
    }

    /** When the journal is written through to the disk. Default: {@link SyncSettings#PAGE_CACHE}. */
    public CollectorBuilder sync(SyncSettings level) {
        sync = level;
        return this;
    }

    /** How long the journal keeps what it has. Default: {@link RetentionSettings#KEEP_ALL}. */
    public CollectorBuilder retention(RetentionSettings settings) {
        retention = settings;
        return this;
    }

    /**
     * Watches who sends what, on a thread of its own that reads the journal: see {@link Collector#sources()}. Default: off.
     */
    public CollectorBuilder sources(boolean on) {
        sources = on;
        return this;
    }

    /** How many times its longest silence a source is silent before that is said. Default: 3. */
    public CollectorBuilder silentAfter(int times) {
        silentAfter = times;
        return this;
    }

    /** How long {@link Collector#close()} may take to empty each socket. Default: 10 seconds. */
    public CollectorBuilder stopTimeout(Duration timeout) {
        stopTimeout = timeout;
        return this;
    }

    /**
     * How long {@link Collector#close()} keeps the emptied sockets open, so that what still arrives is counted in the
     * ledger and not refused by the host uncounted. Default: no time.
     */
    public CollectorBuilder stopLinger(Duration linger) {
        stopLinger = linger;
        return this;
    }

    /** Only whole files are deleted: they are small enough for what the retention asks for. */
    private WriterSettings files(int count) {
        WriterSettings files = sync == null ? journal : journal.withSync(sync);
        if (files.rollAge() == null) {
            files = files.withRollAge(retention.rollAge());
        }
        if (retention.sizeBytes() > 0) {
            long part = retention.sizeBytes() / (FILES_IN_SIZE * count);
            files = files.withRollBytes(Math.min(files.rollBytes(), Math.max(part, files.blockBytes())));
        }
        return files;
    }

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one is wrong; the message names it, what it got and what it takes
     */
    public Collector build() {
        int cpus = Runtime.getRuntime().availableProcessors();
        int count = receivers != 0 ? receivers : cpus <= 2 ? 1 : cpus / 2;
        Set<String> names = new HashSet<>();
        for (DeliveryStage.Output output : outputs) {
            if (!names.add(output.settings().name())) {
                throw new IllegalArgumentException("outputs takes each name once, not '"
                        + output.settings().name() + "' twice");
            }
        }
        if (!adopted.isEmpty()) {
            ReceiveStage.checkPassing(transport);
        }
        return new Collector(
                new CollectorSettings(
                        inputs,
                        streams,
                        dataDirectory,
                        transport,
                        count,
                        threading.resolve(count, cpus),
                        receiveBufferBytes,
                        maxDatagramBytes,
                        gro,
                        steering,
                        packetTimestamps,
                        busyPoll,
                        receiveLatency,
                        receiverPinning,
                        writerPinning,
                        policy,
                        slabBytes,
                        slabsPerRing,
                        writerIdle,
                        files(count),
                        retention,
                        sources,
                        silentAfter,
                        stopTimeout,
                        stopLinger),
                outputs,
                List.copyOf(adopted));
    }
}
