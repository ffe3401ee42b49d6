package io.millrace.collector;

import io.millrace.internal.transport.Transports;
import io.millrace.setting.Setting;
import io.millrace.setting.Settings;
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

/**
 * Builder of a {@link Collector}. A setter rejects a value outside of the range of its setting, {@link #build()} settings that
 * cannot be combined. Nothing is opened before {@link Collector#start()}.
 */
public final class CollectorBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(CollectorBuilder.class);
    private static final long FILES_IN_SIZE = 4;
    private static final int MAX_NAME = 255;

    private final List<CollectorSettings.Input> inputs = new ArrayList<>();
    private final List<StreamInput> streams = new ArrayList<>();
    private PolicySettings policy = PolicySettings.NONE;
    private WriterSettings journal = WriterSettings.DEFAULT;
    private @Nullable SyncSettings sync;
    private RetentionSettings retention = RetentionSettings.KEEP_ALL;
    private SilenceRules silentAfter = SilenceRules.of(Settings.DEFAULTS.get(SilenceLimit.SETTING));
    private Settings values = Settings.DEFAULTS;

    private UncaughtExceptionHandler onFatal = (thread, e) -> LOG.error(
            "{} has ended, and the collector does not do its work any more: restart the process", thread.getName(), e);
    private final List<Output> outputs = new ArrayList<>();
    private final List<BoundSocket> adopted = new ArrayList<>();

    CollectorBuilder() {}

    /** Sets constants of {@link CollectorSettings}, such as the values of a file. */
    public CollectorBuilder settings(Settings given) {
        values = values.with(given);
        return this;
    }

    private <T> CollectorBuilder set(Setting<T> setting, T value) {
        values = values.with(setting, value);
        return this;
    }

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

    /** Sets {@link CollectorSettings#DATA}. */
    public CollectorBuilder journal(Path directory) {
        return set(CollectorSettings.DATA, directory);
    }

    /** Sets {@link CollectorSettings#TRANSPORT}. */
    public CollectorBuilder transport(String name) {
        return set(CollectorSettings.TRANSPORT, name);
    }

    /** Sets {@link CollectorSettings#RECEIVERS}. */
    public CollectorBuilder receivers(int count) {
        return set(CollectorSettings.RECEIVERS, count);
    }

    /** Sets {@link CollectorSettings#THREADING}. */
    public CollectorBuilder threading(Threading choice) {
        return set(CollectorSettings.THREADING, choice);
    }

    /** Sets {@link CollectorSettings#RECEIVE_BUFFER}. */
    public CollectorBuilder receiveBuffer(int bytes) {
        return set(CollectorSettings.RECEIVE_BUFFER, bytes);
    }

    /** Sets {@link CollectorSettings#MAX_DATAGRAM}. */
    public CollectorBuilder maxDatagram(int bytes) {
        return set(CollectorSettings.MAX_DATAGRAM, bytes);
    }

    /** Sets {@link CollectorSettings#GRO}. */
    public CollectorBuilder gro(boolean on) {
        return set(CollectorSettings.GRO, on);
    }

    /** Sets {@link CollectorSettings#PACKET_TIMESTAMPS}. */
    public CollectorBuilder packetTimestamps(boolean on) {
        return set(CollectorSettings.PACKET_TIMESTAMPS, on);
    }

    /** Sets {@link CollectorSettings#STEERING}. */
    public CollectorBuilder steering(Steering choice) {
        return set(CollectorSettings.STEERING, choice);
    }

    /** Sets {@link CollectorSettings#BUSY_POLL}. */
    public CollectorBuilder busyPoll(boolean on) {
        return set(CollectorSettings.BUSY_POLL, on);
    }

    /** Sets {@link CollectorSettings#LATENCY}. */
    public CollectorBuilder receiveLatency(Duration longest) {
        return set(CollectorSettings.LATENCY, longest);
    }

    /** Sets {@link CollectorSettings#RECEIVER_CPUS}. */
    public CollectorBuilder receiverPinning(Pinning pinning) {
        return set(CollectorSettings.RECEIVER_CPUS, pinning);
    }

    /** Sets {@link CollectorSettings#WRITER_CPUS}. */
    public CollectorBuilder writerPinning(Pinning pinning) {
        return set(CollectorSettings.WRITER_CPUS, pinning);
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
     * @param count {@link CollectorSettings#SLABS}
     * @param bytes {@link CollectorSettings#SLAB_BYTES}
     */
    public CollectorBuilder slabs(int count, int bytes) {
        return set(CollectorSettings.SLABS, count).set(CollectorSettings.SLAB_BYTES, bytes);
    }

    /** Sets when the journal rolls to the next file. Default: {@link WriterSettings#DEFAULT}. */
    public CollectorBuilder journalFiles(WriterSettings settings) {
        journal = given("journalFiles", settings);
        return this;
    }

    /** Sets when the journal is synced to the disk. Default: {@link SyncSettings#EACH_SECOND}. */
    public CollectorBuilder sync(SyncSettings level) {
        sync = given("sync", level);
        return this;
    }

    /** Sets the retention of the journal. Default: {@link RetentionSettings#KEEP_ALL}. */
    public CollectorBuilder retention(RetentionSettings settings) {
        retention = given("retention", settings);
        return this;
    }

    /** Sets {@link CollectorSettings#SOURCES}. */
    public CollectorBuilder sources(boolean on) {
        return set(CollectorSettings.SOURCES, on);
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

    /** Sets {@link CollectorSettings#STOP_TIMEOUT}. */
    public CollectorBuilder stopTimeout(Duration timeout) {
        return set(CollectorSettings.STOP_TIMEOUT, timeout);
    }

    /** Sets {@link CollectorSettings#STOP_LINGER}. */
    public CollectorBuilder stopLinger(Duration linger) {
        return set(CollectorSettings.STOP_LINGER, linger);
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
        return Objects.requireNonNull(value, () -> method + " requires a value, not null");
    }

    /** Checks the name of an input. */
    private static String name(String name) {
        if (given("listen", name).isEmpty() || name.length() > MAX_NAME) {
            throw new IllegalArgumentException(
                    "listen accepts a name of 1 to " + MAX_NAME + " characters, not '" + name + "'");
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
     * @throws IllegalArgumentException if settings cannot be combined, or do not work here; the message has the name of
     *     the first, its value and the valid values
     */
    public Collector build() {
        int cpus = Runtime.getRuntime().availableProcessors();
        int given = values.get(CollectorSettings.RECEIVERS);
        int count = given != 0 ? given : cpus <= 2 ? 1 : cpus / 2;
        Threading threading = values.get(CollectorSettings.THREADING).resolve(count, cpus);
        Set<String> names = new HashSet<>();
        for (Output output : outputs) {
            if (!names.add(output.settings().name())) {
                throw new IllegalArgumentException("outputs accepts each name once, not '"
                        + output.settings().name() + "' twice");
            }
        }
        if (!adopted.isEmpty()) {
            Transports.checkPassing(values.get(CollectorSettings.TRANSPORT));
        }
        return new Collector(
                new CollectorSettings(
                        inputs,
                        streams,
                        policy,
                        files(count),
                        retention,
                        silentAfter,
                        values.with(CollectorSettings.RECEIVERS, count).with(CollectorSettings.THREADING, threading)),
                outputs,
                List.copyOf(adopted),
                onFatal);
    }
}
