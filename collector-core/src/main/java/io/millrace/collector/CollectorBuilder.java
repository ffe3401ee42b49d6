package io.millrace.collector;

import io.millrace.internal.receive.TransportCheck;
import io.millrace.sink.Output;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import java.lang.Thread.UncaughtExceptionHandler;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builder of a {@link Collector}. {@link #build()} checks the settings; nothing is opened before {@link Collector#start()}. */
public final class CollectorBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorBuilder.class);
    private static final long FILES_IN_SIZE = 4;
    private static final int MAX_NAME = 255;

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
    private Duration receiveLatency = Duration.ofMillis(20);
    private Pinning receiverPinning = Pinning.NONE;
    private Pinning writerPinning = Pinning.NONE;
    private PolicySettings policy = PolicySettings.NONE;
    private int slabBytes = 256 << 10;
    private int slabsPerRing = 32;
    private WriterSettings journal = WriterSettings.DEFAULT;
    private @Nullable SyncSettings sync;
    private RetentionSettings retention = RetentionSettings.KEEP_ALL;
    private boolean sources;
    private SilenceRules silentAfter = SilenceRules.of(SilenceLimit.times(3));
    private Duration stopTimeout = Duration.ofSeconds(10);
    private Duration stopLinger = Duration.ZERO;

    private UncaughtExceptionHandler onFatal = (thread, e) -> LOG.error(
            "{} has ended, and the collector does not do its work any more: restart the process", thread.getName(), e);
    private final List<Output> outputs = new ArrayList<>();
    private final List<BoundSocket> adopted = new ArrayList<>();

    CollectorBuilder() {}

    /**
     * Adds an output. The collector closes its sink.
     *
     * @param settings its name and how to deliver
     * @param sink not shared with another output
     */
    public CollectorBuilder deliver(SinkSettings settings, Sink sink) {
        outputs.add(new Output(given("deliver", settings), given("deliver", sink)));
        return this;
    }

    /**
     * Adds an input for IPv4, IPv6 or both: {@code ::} also receives IPv4, whose sources are stored as IPv4 addresses.
     *
     * @param name the name in the journal and in metrics
     * @param address the address to listen on; with port 0 the kernel chooses, see {@link Collector#addresses()}
     */
    public CollectorBuilder listen(String name, InetSocketAddress address) {
        return listen(name, address, false);
    }

    /**
     * Adds an input as {@link #listen(String, InetSocketAddress)} does.
     *
     * @param gelfChunks true if chunks of GELF messages are merged
     */
    public CollectorBuilder listen(String name, InetSocketAddress address, boolean gelfChunks) {
        inputs.add(new CollectorSettings.Input(name(name), given("listen", address), gelfChunks));
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
        streams.add(new StreamInput(name(name), given("listen", endpoint), given("listen", settings)));
        return this;
    }

    /**
     * Adds sockets that systemd or another process has bound ({@link Collector#boundSockets()}). An input uses the
     * sockets of its address in their order, and binds more if needed and allowed by the kernel. The collector closes
     * them. A socket whose address no input listens on is an error at the start. Transports {@code native} and {@code
     * epoll}.
     */
    public CollectorBuilder adopt(List<BoundSocket> sockets) {
        adopted.addAll(sockets);
        return this;
    }

    /** Sets the data directory, which is created if missing. Default: {@code data}. */
    public CollectorBuilder journal(Path directory) {
        dataDirectory = given("journal", directory);
        return this;
    }

    /**
     * Sets the transport: {@code native} (with the module collector-native), {@code epoll}, {@code nio}, or {@code
     * auto} for the best that works on this host. Default: {@code auto}.
     */
    public CollectorBuilder transport(String name) {
        transport = given("transport", name);
        return this;
    }

    /**
     * Sets the number of receivers that share each input by {@code SO_REUSEPORT}; each has a shard of the journal. 0
     * means one with up to two CPUs, else half the number of CPUs. Default: 0.
     */
    public CollectorBuilder receivers(int count) {
        receivers = count;
        return this;
    }

    /** Sets the threading of receivers and journal writers. Default: {@link Threading#AUTO}. */
    public CollectorBuilder threading(Threading choice) {
        threading = given("threading", choice);
        return this;
    }

    /** Sets the receive buffer to request for each socket, in bytes. Default: 64 MiB. */
    public CollectorBuilder receiveBuffer(int bytes) {
        receiveBufferBytes = bytes;
        return this;
    }

    /** Sets the maximum payload in bytes; longer ones are truncated and marked. Default: 65,507. */
    public CollectorBuilder maxDatagram(int bytes) {
        maxDatagramBytes = bytes;
        return this;
    }

    /**
     * Enables {@code UDP_GRO}: the kernel combines datagrams of one source and length that arrive together, and the
     * collector splits them. The kernel then counts drops of combined datagrams, so the ledger has no value for them.
     * It pays if a network card or a sender delivers GRO batches. Only the transport {@code native} supports it.
     * Default: off.
     */
    public CollectorBuilder gro(boolean on) {
        gro = on;
        return this;
    }

    /**
     * Enables per-packet timestamps of the kernel at any rate (transport {@code native}). Default: false. At high
     * rates, datagrams of one read then have the time of the last one. With several receivers and another steering than
     * {@link Steering#HASH}, timestamps are always per packet.
     */
    public CollectorBuilder packetTimestamps(boolean on) {
        packetTimestamps = on;
        return this;
    }

    /** Sets how the kernel distributes datagrams among the receivers of a port. Default: {@link Steering#HASH}. */
    public CollectorBuilder steering(Steering choice) {
        steering = given("steering", choice);
        return this;
    }

    /**
     * Enables busy polling: receivers never sleep, and each uses a whole CPU. It saves the microseconds of a wake-up.
     * Transports {@code native} and {@code epoll}. Default: off.
     */
    public CollectorBuilder busyPoll(boolean on) {
        busyPoll = on;
        return this;
    }

    /**
     * How long a datagram may wait in its socket's receive buffer so that one wake-up reads several. The first datagram after a
     * pause is read at once. Zero: never wait. Default: 20 ms.
     */
    public CollectorBuilder receiveLatency(Duration longest) {
        receiveLatency = given("receiveLatency", longest);
        return this;
    }

    /** Binds the threads of receivers to CPUs. Default: {@link Pinning#NONE}. */
    public CollectorBuilder receiverPinning(Pinning pinning) {
        receiverPinning = given("receiverPinning", pinning);
        return this;
    }

    /** Binds the threads of dedicated journal writers to CPUs. Default: {@link Pinning#NONE}. */
    public CollectorBuilder writerPinning(Pinning pinning) {
        writerPinning = given("writerPinning", pinning);
        return this;
    }

    /**
     * Sets the policy: which sources may send, and how much. {@link Collector#setPolicy} replaces it later. Default:
     * {@link PolicySettings#NONE}.
     */
    public CollectorBuilder policy(PolicySettings settings) {
        policy = given("policy", settings);
        return this;
    }

    /**
     * Sets the memory of the ring between a receiver and its writer.
     *
     * @param count the number of slabs; default 32
     * @param bytes the size of a slab in bytes; default 256 KiB
     */
    public CollectorBuilder slabs(int count, int bytes) {
        slabsPerRing = count;
        slabBytes = bytes;
        return this;
    }

    /** Sets when the journal rolls to the next file. Default: {@link WriterSettings#DEFAULT}. */
    public CollectorBuilder journalFiles(WriterSettings settings) {
        journal = given("journalFiles", settings);
        return this;
    }

    /** Sets when the journal is synced to the disk. Default: {@link SyncSettings#PAGE_CACHE}. */
    public CollectorBuilder sync(SyncSettings level) {
        sync = given("sync", level);
        return this;
    }

    /** Sets the retention of the journal. Default: {@link RetentionSettings#KEEP_ALL}. */
    public CollectorBuilder retention(RetentionSettings settings) {
        retention = given("retention", settings);
        return this;
    }

    /** Enables source tracking, which reads the journal on a separate thread: see {@link Collector#sources()}. Default: off. */
    public CollectorBuilder sources(boolean on) {
        sources = on;
        return this;
    }

    /** Sets after how many times its longest silence a source is reported as silent. Default: 3. */
    public CollectorBuilder silentAfter(int times) {
        return silentAfter(SilenceLimit.times(times));
    }

    /** Sets when a source is reported as silent. */
    public CollectorBuilder silentAfter(SilenceLimit limit) {
        return silentAfter(SilenceRules.of(given("silentAfter", limit)));
    }

    /** Sets when sources are reported as silent, by groups of them. */
    public CollectorBuilder silentAfter(SilenceRules rules) {
        silentAfter = given("silentAfter", rules);
        return this;
    }

    /** Sets the time limit of {@link Collector#close()} for draining each socket. Default: 10 seconds. */
    public CollectorBuilder stopTimeout(Duration timeout) {
        stopTimeout = given("stopTimeout", timeout);
        return this;
    }

    /**
     * Sets how long {@link Collector#close()} keeps the drained sockets open, so that datagrams that still arrive are
     * counted in the ledger. Default: 0.
     */
    public CollectorBuilder stopLinger(Duration linger) {
        stopLinger = given("stopLinger", linger);
        return this;
    }

    /**
     * Sets who is told, once and on any thread, that the collector cannot do its work any more: there is no memory, or a
     * thread that it needs has ended. The process should then be restarted; closing the collector may block. Default: an
     * error in the log.
     */
    public CollectorBuilder onFatal(UncaughtExceptionHandler handler) {
        onFatal = given("onFatal", handler);
        return this;
    }

    /** A value that a Java program without null checks may forget. */
    private static <T> T given(String method, @Nullable T value) {
        return Objects.requireNonNull(value, () -> method + " takes a value, not null");
    }

    /** Checks the name of an input. */
    private static String name(String name) {
        if (given("listen", name).isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "listen takes a name of 1 to " + MAX_NAME + " characters, not '" + name + "'");
        }
        return name;
    }

    /** Retention deletes whole files, so files are small enough for its limits. */
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
     * Checks the settings and creates the collector.
     *
     * @throws IllegalArgumentException if a setting is invalid; the message has its name, its value and the valid
     *     values
     */
    public Collector build() {
        int cpus = Runtime.getRuntime().availableProcessors();
        int count = receivers != 0 ? receivers : cpus <= 2 ? 1 : cpus / 2;
        Set<String> names = new HashSet<>();
        for (Output output : outputs) {
            if (!names.add(output.settings().name())) {
                throw new IllegalArgumentException("outputs takes each name once, not '"
                        + output.settings().name() + "' twice");
            }
        }
        if (!adopted.isEmpty()) {
            TransportCheck.checkPassing(transport);
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
                        files(count),
                        retention,
                        sources,
                        silentAfter,
                        stopTimeout,
                        stopLinger),
                outputs,
                List.copyOf(adopted),
                onFatal);
    }
}
