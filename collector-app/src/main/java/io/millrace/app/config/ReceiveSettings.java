package io.millrace.app.config;

import io.millrace.collector.CollectorSettings;
import io.millrace.collector.Pinning;
import io.millrace.collector.Steering;
import io.millrace.collector.Threading;
import io.millrace.setting.Section;
import io.millrace.setting.Setting;
import io.millrace.setting.SettingTypes;
import java.time.Duration;

/** How datagrams are received: the section {@code receive}, and the flags of {@code run} with the same names. */
public final class ReceiveSettings {
    /** The transport. */
    public static final Setting<String> TRANSPORT = Setting.withDefault(
            "transport",
            SettingTypes.oneOf("auto", "native", "epoll", "nio"),
            "auto",
            "How datagrams are read; auto is the best that works here.");

    /** How many receivers; 0 for auto. */
    public static final Setting<Integer> RECEIVERS = Setting.withDefault(
            "receivers",
            SettingTypes.numberOrAuto(CollectorSettings.MAX_RECEIVERS),
            "auto",
            "Receivers that share each port, and shards of the journal; auto is 1 up to two CPUs, else half of"
                    + " them.");

    /** How the kernel chooses. */
    public static final Setting<Steering> STEERING = Setting.withDefault(
            "steering",
            SettingTypes.oneOf(Steering.class),
            "hash",
            "How the kernel chooses among receivers. hash: by addresses and ports, a source stays with one; cpu: by the"
                    + " CPU a datagram came in on; spread: at random, which splits one heavy source.");

    /** Times of datagrams that are read together. */
    public static final Setting<Boolean> PACKET_TIMESTAMPS = Setting.withDefault(
            "packetTimestamps",
            SettingTypes.SWITCH,
            "off",
            "on: kernel timestamp per datagram. off: under load, one timestamp per read, that of its last datagram."
                    + " Transport native only.");

    /** GRO batches. */
    public static final Setting<Boolean> GRO = Setting.withDefault(
            "gro", SettingTypes.SWITCH, "off", "Take GRO batches from the kernel in one piece; transport native only.");

    /** Which threads. */
    public static final Setting<Threading> THREADING = Setting.withDefault(
            "threading",
            SettingTypes.oneOf(Threading.class),
            "auto",
            "shared: receiver and journal writer on one thread; dedicated: a thread each; auto: dedicated with at least"
                    + " four CPUs and two per receiver, else shared.");

    /** Never sleep. */
    public static final Setting<Boolean> BUSY_POLL = Setting.withDefault(
            "busyPoll",
            SettingTypes.SWITCH,
            "off",
            "Receivers never sleep, and take a CPU each; transports native and epoll.");

    /** How long datagrams may wait to be read together. */
    public static final Setting<Duration> LATENCY = Setting.withDefault(
            "latency",
            SettingTypes.DURATION,
            "20ms",
            "How long a datagram may wait in the receive buffer so that one wake-up reads several. The first after a pause is read at"
                    + " once, and a small buffer shortens the wait. Longer costs less CPU time under light load; 0ms never waits.");

    /** Where receivers run. */
    public static final Setting<Pinning> RECEIVER_CPUS = Setting.withDefault(
            "receiverCpus", ConfigTypes.CPUS, "none", "CPUs to bind receivers to, in turns, such as 1,3 or 0-3.");

    /** Where journal writers run. */
    public static final Setting<Pinning> WRITER_CPUS = Setting.withDefault(
            "writerCpus", ConfigTypes.CPUS, "none", "CPUs to bind journal writers with threads of their own to.");

    /** Bytes of a socket's buffer. */
    public static final Setting<Integer> RECEIVE_BUFFER = Setting.withDefault(
            "receiveBuffer",
            SettingTypes.size(CollectorSettings.MIN_RECEIVE_BUFFER, CollectorSettings.MAX_RECEIVE_BUFFER),
            "64M",
            "Receive buffer to ask the kernel for, for each socket. It is what rides out bursts and pauses.");

    /** Longest payload. */
    public static final Setting<Integer> MAX_DATAGRAM = Setting.withDefault(
            "maxDatagram",
            SettingTypes.size(1, CollectorSettings.MAX_PAYLOAD_BYTES),
            "65507",
            "Longest payload to keep; longer ones are truncated and marked.");

    /** At the stop. */
    public static final Setting<Duration> STOP_LINGER = Setting.withDefault(
            "stopLinger", SettingTypes.DURATION, "0s", "At the stop, go on counting what still arrives for this long.");

    /** All of them. */
    public static final Section SECTION = Section.of(
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

    private ReceiveSettings() {}
}
