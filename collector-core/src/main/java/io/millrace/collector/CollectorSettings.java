package io.millrace.collector;

import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.text.ByteSize;
import io.millrace.internal.transport.Transport;
import io.millrace.internal.transport.Transports;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingException;
import io.millrace.setting.SettingType;
import io.millrace.setting.SettingTypes;
import io.millrace.setting.Settings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The checked settings of a collector, created by {@link CollectorBuilder#build()}.
 *
 * @param inputs the inputs of UDP
 * @param streams the inputs on TCP and Unix sockets; at least one of the two lists has an input
 * @param policy who may send, and how much
 * @param journal when files roll
 * @param retention the retention of the journal
 * @param silentAfter when sources are reported as silent
 * @param values the values of the settings that are constants here; {@link #RECEIVERS} and {@link #THREADING} are never auto
 */
public record CollectorSettings(
        List<Input> inputs,
        List<StreamInput> streams,
        PolicySettings policy,
        WriterSettings journal,
        RetentionSettings retention,
        SilenceRules silentAfter,
        Settings values) {

    /** The maximum payload of a UDP datagram: over IPv6, without jumbograms (RFC 8200). */
    private static final int MAX_PAYLOAD_BYTES = 65_527;

    private static final int MAX_SLAB_BYTES = 8 << 20;

    private static final SettingType<Pinning> CPUS =
            SettingTypes.parsed("LIST", "a list of CPUs such as 1,3 or 0-3,8, or none", CollectorSettings::cpus);

    /** The directory of journal and counters. */
    public static final Setting<Path> DATA = Setting.withDefault(
                    "data", SettingTypes.DIRECTORY, "data", "The data directory, which is created if missing.")
            .named("journal");

    /** How sockets are read. A program can name a {@code DatagramReaderProvider} of its own. */
    public static final Setting<String> TRANSPORT = Transports.SETTING;

    /** The receivers that share each input by {@code SO_REUSEPORT}; each has a shard of the journal. 0 is {@code auto}. */
    public static final Setting<Integer> RECEIVERS = Setting.withDefault(
            "receivers",
            SettingTypes.numberOrAuto(256),
            "auto",
            "Receivers that share each port, and shards of the journal; auto is 1 up to two CPUs, else half of"
                    + " them.");

    /** How the kernel distributes datagrams among the receivers of a port. */
    public static final Setting<Steering> STEERING = Setting.withDefault(
            "steering",
            SettingTypes.oneOf(Steering.class),
            "hash",
            "How the kernel chooses among receivers. hash: by addresses and ports, a source stays with one; cpu: by the"
                    + " CPU a datagram came in on; spread: at random, which splits one heavy source.");

    /** Whether each datagram has its own kernel timestamp at any rate. With several receivers and another steering than {@link Steering#HASH} each always has. */
    public static final Setting<Boolean> PACKET_TIMESTAMPS = Setting.withDefault(
            "packetTimestamps",
            SettingTypes.SWITCH,
            "off",
            "on: kernel timestamp per datagram. off: under load, one timestamp per read, that of its last datagram."
                    + " Transport native only.");

    /** Whether the kernel combines datagrams of one source and length that arrive together ({@code UDP_GRO}). It then counts drops of combined datagrams, so the ledger has no value for them. It pays if a network card or a sender delivers GRO batches. */
    public static final Setting<Boolean> GRO = Setting.withDefault(
            "gro", SettingTypes.SWITCH, "off", "Take GRO batches from the kernel in one piece; transport native only.");

    /** The threads of receivers and journal writers. */
    public static final Setting<Threading> THREADING = Setting.withDefault(
            "threading",
            SettingTypes.oneOf(Threading.class),
            "auto",
            "shared: receiver and journal writer on one thread; dedicated: a thread each; auto: dedicated with at least"
                    + " four CPUs and two per receiver, else shared.");

    /** Whether receivers never sleep, which saves the microseconds of a wake-up. */
    public static final Setting<Boolean> BUSY_POLL = Setting.withDefault(
            "busyPoll",
            SettingTypes.SWITCH,
            "off",
            "Receivers never sleep, and take a CPU each; transports native and epoll.");

    /** The longest time that a datagram waits in its socket so that several are read together. */
    public static final Setting<Duration> LATENCY = Setting.withDefault(
                    "latency",
                    SettingTypes.duration(Duration.ZERO, Duration.ofMillis(100)),
                    "20ms",
                    "How long a datagram may wait in the receive buffer so that one wake-up reads several. The first after a pause is read at"
                            + " once, and a small buffer shortens the wait. Longer costs less CPU time under light load; 0ms never waits.")
            .named("receiveLatency");

    /** The CPUs of receivers, round robin. */
    public static final Setting<Pinning> RECEIVER_CPUS = Setting.withDefault(
                    "receiverCpus", CPUS, "none", "CPUs to bind receivers to, in turns, such as 1,3 or 0-3.")
            .named("receiverPinning");

    /** The CPUs of dedicated journal writers, round robin. */
    public static final Setting<Pinning> WRITER_CPUS = Setting.withDefault(
                    "writerCpus", CPUS, "none", "CPUs to bind journal writers with threads of their own to.")
            .named("writerPinning");

    /** The receive buffer to request for each socket, in bytes. */
    public static final Setting<Integer> RECEIVE_BUFFER = Setting.withDefault(
            "receiveBuffer",
            SettingTypes.size(4096, 1 << 30),
            "64M",
            "Receive buffer to ask the kernel for, for each socket. It is what rides out bursts and pauses.");

    /** The maximum payload in bytes. */
    public static final Setting<Integer> MAX_DATAGRAM = Setting.withDefault(
            "maxDatagram",
            SettingTypes.size(1, MAX_PAYLOAD_BYTES),
            "65507",
            "Longest payload to keep; longer ones are truncated and marked.");

    /** How long the stop keeps the drained sockets open to count what still arrives. */
    public static final Setting<Duration> STOP_LINGER = Setting.withDefault(
            "stopLinger", SettingTypes.DURATION, "0s", "At the stop, go on counting what still arrives for this long.");

    /** The time limit of the stop for draining the sockets. */
    public static final Setting<Duration> STOP_TIMEOUT = Setting.withDefault(
            "stopTimeout",
            SettingTypes.DURATION,
            "10s",
            "Limit of the stop, without stopLinger, the sync, and a second for each receiver to count what a blocked journal"
                    + " did not take: drain the sockets, append, deliver.");

    /** The slabs of each ring. */
    public static final Setting<Integer> SLABS =
            Setting.withDefault("slabs", SettingTypes.integer(4, 4096), "32", "Slabs of each ring.");

    /** The size of a slab in bytes. It holds at least one datagram, and one message of each stream input. */
    public static final Setting<Integer> SLAB_BYTES = Setting.withDefault(
                    "slabBytes", SettingTypes.size(1, MAX_SLAB_BYTES), "256K", "Size of a slab.")
            .named("slabs");

    /** Whether sources are tracked. */
    public static final Setting<Boolean> SOURCES =
            Setting.withDefault("sources", SettingTypes.SWITCH, "off", "Source tracking, on a daemon thread.");

    /** The settings of receiving, as a file has them. */
    public static final Section RECEIVE = Section.of(
            "receive",
            "How datagrams are received.",
            TRANSPORT,
            RECEIVERS,
            STEERING,
            PACKET_TIMESTAMPS,
            GRO,
            THREADING,
            BUSY_POLL,
            LATENCY,
            RECEIVER_CPUS,
            WRITER_CPUS,
            RECEIVE_BUFFER,
            MAX_DATAGRAM,
            STOP_LINGER);

    /**
     * An input of UDP.
     *
     * @param name the name in the journal, in metrics and in messages
     * @param address the address it listens on
     * @param gelfChunks true if chunks of GELF messages are merged
     */
    public record Input(String name, InetSocketAddress address, boolean gelfChunks) {}

    /** Checks whether the settings can be combined, and whether they work on this host. */
    public CollectorSettings {
        inputs = List.copyOf(inputs);
        streams = List.copyOf(streams);
        checkInputs(inputs, streams);
        checkTransport(values);
        checkPinning(RECEIVER_CPUS, values);
        checkPinning(WRITER_CPUS, values);
        int slabBytes = values.get(SLAB_BYTES);
        int minSlab = minSlab(streams, values.get(MAX_DATAGRAM));
        check(
                slabBytes >= minSlab,
                SLAB_BYTES,
                slabBytes + " bytes",
                minSlab + " (one message of maxDatagram, or of an input's maxMessage) to " + MAX_SLAB_BYTES + " bytes");
        check(
                journal.blockBytes() >= 8L * slabBytes,
                WriterSettings.FILE_SIZE,
                journal.blockBytes() + " bytes",
                "blocks of at least eight slabs");
        int receivers = values.get(RECEIVERS);
        long minSize = 4L * receivers * journal.blockBytes();
        check(
                retention.sizeBytes() == 0 || retention.sizeBytes() >= minSize,
                RetentionSettings.SIZE,
                ByteSize.exact(retention.sizeBytes()),
                "at least " + ByteSize.exact(minSize) + ", for files of " + receivers + " receivers");
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return values.get(setting);
    }

    /** The directory of journal and counters. */
    public Path dataDirectory() {
        return get(DATA);
    }

    /** The number of receivers, which is the number of shards. */
    public int receivers() {
        return get(RECEIVERS);
    }

    private static void checkInputs(List<Input> inputs, List<StreamInput> streams) {
        if (inputs.isEmpty() && streams.isEmpty()) {
            throw listen("at least one address, not nothing");
        }
        Set<String> names = new HashSet<>();
        for (Input input : inputs) {
            checkName(input.name(), names);
            if (input.address().isUnresolved()) {
                throw listen("an address of this host, not " + input.address().getHostString());
            }
        }
        streams.forEach(stream -> checkName(stream.name(), names));
    }

    private static void checkName(String name, Set<String> names) {
        if (!names.add(name)) {
            throw listen("each name once, not the name '" + name + "' twice");
        }
    }

    private static IllegalArgumentException listen(String problem) {
        return new IllegalArgumentException("listen accepts " + problem);
    }

    private static void checkTransport(Settings values) {
        Transport transport = Transports.select(values.get(TRANSPORT));
        if (values.get(GRO) && !transport.canSplit()) {
            throw new SettingException(GRO, "requires the transport native, and this is " + transport.name());
        }
        if (values.get(BUSY_POLL) && !transport.isOnEpoll()) {
            throw new SettingException(
                    BUSY_POLL, "requires the transport native or epoll, and this is " + transport.name());
        }
        Steering steering = values.get(STEERING);
        if (steering != Steering.HASH && !transport.isOnEpoll()) {
            throw new SettingException(
                    STEERING,
                    steering.name().toLowerCase(Locale.ROOT) + " requires the transport native or epoll: "
                            + transport.name() + " has no means to attach the program that chooses");
        }
    }

    private static int minSlab(List<StreamInput> streams, int maxDatagramBytes) {
        int min = FrameWriter.minCapacity(maxDatagramBytes);
        for (StreamInput stream : streams) {
            min = Math.max(min, FrameWriter.minStreamCapacity(stream.settings().get(StreamSettings.MAX_MESSAGE)));
        }
        return min;
    }

    private static @Nullable Pinning cpus(String text) {
        try {
            return text.equals("none") ? Pinning.NONE : Pinning.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static void checkPinning(Setting<Pinning> setting, Settings values) {
        String problem = values.get(setting).problem();
        if (problem != null) {
            throw new SettingException(setting, ": " + problem);
        }
    }

    private static void check(boolean good, Setting<?> setting, Object got, String takes) {
        if (!good) {
            throw new SettingException(setting, "accepts " + takes + ", not " + got);
        }
    }
}
