package io.millrace.bench.reference;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All reference receivers, from the slowest to the fastest design. */
@SuppressWarnings("ImmutableEnumChecker") // The factories are functions without state.
public enum ReferenceReceivers {
    SYSLOG_INLINE(
            "DatagramSocket; parsed as syslog and written as text by the receiving thread",
            SocketReceiver::open,
            SyslogTextSink::open),
    BIO("DatagramSocket; BufferedOutputStream, by the receiving thread", SocketReceiver::open, StreamSink::open),
    NIO(
            "DatagramChannel and Selector; FileChannel, by the receiving thread",
            ChannelReceiver::open,
            FileChannelSink::open),
    /** The asynchronous API has no datagrams, so only the file is asynchronous. */
    AIO(
            "DatagramChannel and Selector; AsynchronousFileChannel, up to eight writes in flight",
            ChannelReceiver::open,
            AsyncFileSink::open),
    IO_URING(
            "Netty's io_uring datagram channel; FileChannel, by the event loop",
            NettyReceiver::openIoUring,
            FileChannelSink::open,
            IoUring::unavailabilityCause),
    MAPPED("DatagramSocket; memory-mapped file, by the receiving thread", SocketReceiver::open, MappedSink::open),
    MAPPED_QUEUE_BIO(
            "DatagramSocket; bounded queue; memory-mapped file by a second thread",
            SocketReceiver::open,
            file -> QueueSink.start(MappedSink.open(file))),
    MAPPED_QUEUE_NIO(
            "DatagramChannel and Selector; bounded queue; memory-mapped file by a second thread",
            ChannelReceiver::open,
            file -> QueueSink.start(MappedSink.open(file))),
    NETTY_EPOLL(
            "Netty's epoll datagram channel with recvmmsg; FileChannel, by the event loop",
            NettyReceiver::openEpoll,
            FileChannelSink::open,
            Epoll::unavailabilityCause);

    private final String description;
    private final ReceiverFactory receiver;
    private final SinkFactory sink;
    private final Supplier<@Nullable Throwable> unavailability;

    private interface ReceiverFactory {
        ReferenceReceiver open(ReferenceSettings settings, LineSink sink) throws IOException;
    }

    private interface SinkFactory {
        LineSink open(Path file) throws IOException;
    }

    ReferenceReceivers(String description, ReceiverFactory receiver, SinkFactory sink) {
        this(description, receiver, sink, () -> null);
    }

    ReferenceReceivers(
            String description,
            ReceiverFactory receiver,
            SinkFactory sink,
            Supplier<@Nullable Throwable> unavailability) {
        this.description = description;
        this.receiver = receiver;
        this.sink = sink;
        this.unavailability = unavailability;
    }

    /** Its name on the command line. */
    public String receiverName() {
        return this == IO_URING ? "io_uring" : name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** How it reads and how it writes. */
    public String description() {
        return description;
    }

    /** Why it is not available on this host; null if it is. */
    public @Nullable String unavailableBecause() {
        Throwable cause = unavailability.get();
        if (cause == null) {
            return null;
        }
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** All names. */
    public static List<String> names() {
        return Stream.of(values()).map(ReferenceReceivers::receiverName).toList();
    }

    /**
     * Finds a receiver by name.
     *
     * @throws IllegalArgumentException if there is no receiver of this name
     */
    public static ReferenceReceivers named(String name) {
        return Stream.of(values())
                .filter(which -> which.receiverName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown reference receiver '" + name + "': valid are " + String.join(", ", names())));
    }

    /**
     * Opens the file and binds the socket; {@link ReferenceReceiver#start} begins to receive.
     *
     * @throws IOException if it is not available here, the file cannot be written, or the address cannot be bound
     */
    public ReferenceReceiver open(ReferenceSettings settings) throws IOException {
        String problem = unavailableBecause();
        if (problem != null) {
            throw new IOException("reference receiver " + receiverName() + " is unavailable: " + problem);
        }
        LineSink opened = sink.open(settings.out());
        try {
            return receiver.open(settings, opened);
        } catch (IOException | RuntimeException e) {
            try {
                opened.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }
}
