package io.millrace.bench.reference;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reference receivers by name, lowest first. */
public enum ReferenceReceivers {
    /** Each datagram parsed as syslog in the receiving thread, and written as text through a buffered writer. */
    SYSLOG_INLINE("DatagramSocket; each datagram parsed as syslog and written as text, inline") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return SocketReceiver.open(settings, sinks.own(InlineSyslogSink.open(settings.out())));
        }
    },
    /** The blocking API of 1.0. */
    BIO("DatagramSocket; BufferedOutputStream, inline") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return SocketReceiver.open(settings, sinks.own(StreamSink.open(settings.out())));
        }
    },
    /** The non-blocking API of 1.4. */
    NIO("DatagramChannel and Selector; FileChannel, inline") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return ChannelReceiver.open(settings, sinks.own(FileChannelSink.open(settings.out())));
        }
    },
    /** The completion-based API of 1.7, which has no datagrams: its half is the file. */
    AIO("DatagramChannel and Selector; AsynchronousFileChannel, eight writes in flight at the most") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return ChannelReceiver.open(settings, sinks.own(AsyncFileSink.open(settings.out())));
        }
    },
    /** Completions for the socket too. */
    IO_URING("Netty's io_uring datagram channel; FileChannel, inline") {
        @Override
        public @Nullable String unavailableBecause() {
            return IoUring.isAvailable() ? null : reason(IoUring.unavailabilityCause());
        }

        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return NettyReceiver.openIoUring(settings, sinks.own(FileChannelSink.open(settings.out())));
        }

        @Override
        public String rungName() {
            return "io_uring";
        }
    },
    /** No system call for a write. */
    MAPPED("DatagramSocket; memory-mapped file, inline") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return SocketReceiver.open(settings, sinks.own(MappedSink.open(settings.out())));
        }
    },
    /** The writing on a thread of its own. */
    MAPPED_QUEUE_BIO("DatagramSocket; bounded queue; memory-mapped file on a second thread") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return SocketReceiver.open(settings, sinks.own(QueueSink.start(MappedSink.open(settings.out()))));
        }
    },
    /** The same, with the non-blocking API. */
    MAPPED_QUEUE_NIO("DatagramChannel and Selector; bounded queue; memory-mapped file on a second thread") {
        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return ChannelReceiver.open(settings, sinks.own(QueueSink.start(MappedSink.open(settings.out()))));
        }
    },
    /** Many datagrams a system call. */
    NETTY_EPOLL("Netty's epoll datagram channel with recvmmsg; FileChannel, inline") {
        @Override
        public @Nullable String unavailableBecause() {
            return Epoll.isAvailable() ? null : reason(Epoll.unavailabilityCause());
        }

        @Override
        ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException {
            return NettyReceiver.openEpoll(settings, sinks.own(FileChannelSink.open(settings.out())));
        }
    };

    private final String description;

    ReferenceReceivers(String description) {
        this.description = description;
    }

    /** Closes the sink of a reference receiver that could not be opened. */
    static final class Sinks {
        private @Nullable LineSink owned;

        LineSink own(LineSink sink) {
            owned = sink;
            return sink;
        }

        void closeAfter(Exception failure) {
            if (owned != null) {
                try {
                    owned.close();
                } catch (IOException e) {
                    failure.addSuppressed(e);
                }
            }
        }
    }

    /** Its name on the command line. */
    public String rungName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** How it reads and how it writes. */
    public String description() {
        return description;
    }

    /** Why it does not work on this machine; null if it does. */
    public @Nullable String unavailableBecause() {
        return null;
    }

    private static String reason(@Nullable Throwable cause) {
        Throwable root = cause;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root == null || root.getMessage() == null ? String.valueOf(root) : root.getMessage();
    }

    /** All names, lowest reference receiver first. */
    public static List<String> names() {
        return Stream.of(values()).map(ReferenceReceivers::rungName).toList();
    }

    /**
     * Finds a reference receiver.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static ReferenceReceivers named(String name) {
        return Stream.of(values())
                .filter(receiver -> receiver.rungName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no reference receiver '" + name + "': take one of " + String.join(", ", names())));
    }

    /**
     * Opens the file and binds the socket; {@link ReferenceReceiver#start} begins to receive.
     *
     * @throws IOException if it does not work here, the file cannot be written, or the address cannot be bound
     */
    public ReferenceReceiver open(ReferenceSettings settings) throws IOException {
        String problem = unavailableBecause();
        if (problem != null) {
            throw new IOException("reference receiver " + rungName() + " is unavailable: " + problem);
        }
        Sinks sinks = new Sinks();
        try {
            return open(settings, sinks);
        } catch (IOException | RuntimeException e) {
            sinks.closeAfter(e);
            throw e;
        }
    }

    abstract ReferenceReceiver open(ReferenceSettings settings, Sinks sinks) throws IOException;
}
