package io.millrace.internal.transport;

import io.millrace.collector.BoundSocket;
import io.millrace.collector.Steering;
import io.millrace.internal.linux.ClassicBpf;
import io.millrace.internal.linux.LibC;
import io.millrace.internal.linux.SocketOptions;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.DatagramReaderProvider;
import io.netty.channel.ChannelException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport {@code epoll}, and those of other modules: Netty's epoll event loop and socket calls, with an I/O handle instead
 * of a channel and its pipeline. The receive call is Netty's, or that of a {@link DatagramReaderProvider}.
 */
final class EpollTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(EpollTransport.class);
    private static final int BUSY_POLL_MICROS = 50;

    private final @Nullable DatagramReaderProvider readers;

    /** Reads with Netty's receive call. */
    EpollTransport() {
        this.readers = null;
    }

    /** Reads with the reader of a module. */
    EpollTransport(DatagramReaderProvider readers) {
        this.readers = readers;
    }

    @Override
    public String name() {
        return readers == null ? "epoll" : readers.name();
    }

    @Override
    public @Nullable String unavailableBecause() {
        Throwable cause = Epoll.unavailabilityCause();
        if (cause != null) {
            return "Netty's epoll library does not load: " + cause.getMessage();
        }
        return readers == null ? NettyMessages.unavailableBecause() : readers.unavailableBecause();
    }

    @Override
    public boolean canRefuse() {
        return true;
    }

    @Override
    public boolean canSplit() {
        return readers != null && readers.canSplit();
    }

    @Override
    public boolean isOnEpoll() {
        return true;
    }

    @Override
    public boolean tellsTime() {
        return readers != null && readers.tellsTime();
    }

    @Override
    public IoHandlerFactory ioHandlerFactory(boolean busyPoll) {
        SelectStrategy never = (supplier, hasTasks) -> SelectStrategy.BUSY_WAIT;
        return busyPoll ? EpollIoHandler.newFactory(0, () -> never) : EpollIoHandler.newFactory();
    }

    @Override
    public ReceiveSocket open(InetSocketAddress address, SocketSettings settings, Sharing sharing) throws IOException {
        boolean ipv6 = isIpv6(address);
        @Nullable DatagramReader opened = null;
        LinuxSocket socket = LinuxSocket.newSocketDgram(ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        try {
            setReceiveBuffer(socket, settings.receiveBufferBytes());
            if (settings.busyPoll()) {
                setBusyPoll(socket);
            }
            // Before the bind, so that the reader's socket options apply to the first datagram.
            DatagramReader reader = reader(socket, ipv6, settings);
            opened = reader;
            if (sharing == Sharing.MEMBER) {
                socket.setReusePort(true);
            }
            socket.bind(address);
            if (sharing == Sharing.FIRST) {
                socket.setReusePort(true);
            }
            return new EpollSocket(socket, reader, false);
        } catch (IOException | RuntimeException | Error e) {
            if (opened != null) {
                opened.close();
            }
            socket.close();
            throw e;
        }
    }

    private static boolean isIpv6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    private DatagramReader reader(LinuxSocket socket, boolean ipv6, SocketSettings settings) throws IOException {
        if (readers != null) {
            return readers.open(
                    socket.intValue(), settings.maxDatagramBytes(), settings.gro(), settings.packetTimestamps());
        }
        return new NettyReader(new NettyMessages(socket, ipv6, settings.maxDatagramBytes()));
    }

    @Override
    public ReceiveSocket adopt(BoundSocket bound, SocketSettings settings, DropMarks marks) throws IOException {
        LinuxSocket socket = LinuxSocket.newSocket(bound.descriptor());
        try {
            LibC.setNonBlocking(bound.descriptor());
            detachFilter(socket);
            raiseReceiveBuffer(socket, settings.receiveBufferBytes());
            if (settings.busyPoll()) {
                setBusyPoll(socket);
            }
            if (!settings.gro()) {
                refuseGroBatches(socket);
            }
            EpollSocket adopted =
                    new EpollSocket(socket, reader(socket, isIpv6(bound.address()), settings), bound.kept());
            adopted.accounted = marks.accountedDrops(adopted);
            return adopted;
        } catch (IOException | RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** Detaches the filter of a process that had begun to stop. It would refuse all datagrams. */
    private static void detachFilter(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_DETACH_FILTER, 0);
        } catch (IOException | ChannelException thereIsNone) {
            LOG.debug("No filter was attached", thereIsNone);
        }
    }

    /** Raises the receive buffer, and never lowers it: the creator of the socket may have had a higher limit. */
    private static void raiseReceiveBuffer(LinuxSocket socket, int bytes) throws IOException {
        int before = socket.getReceiveBufferSize();
        LinuxSocket probe = LinuxSocket.newSocketDgram();
        try {
            setReceiveBuffer(probe, bytes);
            if (probe.getReceiveBufferSize() > before) {
                setReceiveBuffer(socket, bytes);
            }
        } finally {
            probe.close();
        }
    }

    /** Rejects a socket on which an earlier process enabled GRO: each queued GRO batch would be read as one datagram. */
    private static void refuseGroBatches(LinuxSocket socket) throws IOException {
        int groBatches;
        try {
            groBatches = socket.getIntOpt(SocketOptions.IPPROTO_UDP, SocketOptions.UDP_GRO);
        } catch (IOException | ChannelException e) {
            disableGro(socket);
            return;
        }
        if (groBatches != 0) {
            throw new IOException(
                    "a passed socket was read with gro on, and may hold GRO batches that cannot be split with gro off:"
                            + " leave gro on, or create the sockets again (systemctl restart millrace.socket)");
        }
    }

    /** Disables GRO if the kernel does not report whether it was enabled. GRO batches already queued are counted wrongly. */
    private static void disableGro(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.IPPROTO_UDP, SocketOptions.UDP_GRO, 0);
        } catch (IOException | ChannelException e) {
            LOG.debug("This kernel has no UDP_GRO, so it was not enabled", e);
        }
    }

    /** Sets the receive buffer. With CAP_NET_ADMIN it may exceed {@code net.core.rmem_max}; without, the kernel limits it to that. */
    private static void setReceiveBuffer(LinuxSocket socket, int bytes) throws IOException {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_RCVBUFFORCE, bytes);
        } catch (IOException | ChannelException notPermitted) {
            socket.setReceiveBufferSize(bytes);
        }
    }

    /** Makes the kernel poll the network card when a receive call finds nothing, if the card and the permissions allow it. */
    private static void setBusyPoll(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_BUSY_POLL, BUSY_POLL_MICROS);
        } catch (IOException | ChannelException e) {
            LOG.info("SO_BUSY_POLL is not permitted, the network card is not polled: {}", e.getMessage());
        }
    }

    /** A UDP socket and its reader. */
    private static final class EpollSocket extends EpollDatagramSocket {
        private final ByteBuffer memInfo =
                ByteBuffer.allocateDirect(SocketOptions.MEMINFO_BYTES).order(ByteOrder.nativeOrder());
        private final boolean kept;
        private long accounted;

        private EpollSocket(LinuxSocket socket, DatagramReader reader, boolean kept) {
            super(socket, reader);
            this.kept = kept;
        }

        @Override
        public long drops() {
            return memInfo(SocketOptions.MEMINFO_DROPS_OFFSET);
        }

        @Override
        public long accountedDrops() {
            return accounted;
        }

        @Override
        public long cookie() {
            ByteBuffer cookie = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
            try {
                socket.getRawOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_COOKIE, cookie);
                return cookie.getLong(0);
            } catch (IOException | ChannelException e) {
                return UNAVAILABLE;
            }
        }

        @Override
        public int descriptor() {
            return socket.intValue();
        }

        @Override
        public boolean isKept() {
            return kept;
        }

        @Override
        public long queuedBytes() {
            return memInfo(SocketOptions.MEMINFO_RECEIVE_ALLOC_OFFSET);
        }

        private long memInfo(int offset) {
            try {
                memInfo.clear();
                socket.getRawOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_MEMINFO, memInfo);
                return Integer.toUnsignedLong(memInfo.getInt(offset));
            } catch (IOException | ChannelException e) {
                return UNAVAILABLE;
            }
        }

        @Override
        public boolean refuseAll() {
            try {
                attach(SocketOptions.SO_ATTACH_FILTER, ClassicBpf.refuseAll());
                return true;
            } catch (IOException | ChannelException e) {
                return false;
            }
        }

        @Override
        public void steer(Steering steering, int receivers) throws IOException {
            if (steering == Steering.HASH) {
                endSteering();
                return;
            }
            try {
                attach(
                        SocketOptions.SO_ATTACH_REUSEPORT_CBPF,
                        steering == Steering.CPU
                                ? ClassicBpf.chooseByCpu(receivers)
                                : ClassicBpf.chooseRandom(receivers));
            } catch (IOException | ChannelException e) {
                throw new IOException(
                        "the kernel refuses the BPF program that selects a receiver: " + e.getMessage(), e);
            }
        }

        private void endSteering() {
            try {
                socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_DETACH_REUSEPORT_BPF, 0);
            } catch (IOException | ChannelException e) {
                LOG.debug("No steering program was attached", e);
            }
        }

        private void attach(int option, ClassicBpf bpf) throws IOException {
            try {
                socket.setRawOpt(SocketOptions.SOL_SOCKET, option, bpf.program());
            } finally {
                Reference.reachabilityFence(bpf);
            }
        }

        @Override
        public InetSocketAddress localAddress() {
            return socket.localAddress();
        }
    }
}
