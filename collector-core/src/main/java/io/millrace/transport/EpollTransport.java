package io.millrace.transport;

import io.millrace.handoff.BoundSocket;
import io.millrace.linux.ClassicBpf;
import io.millrace.linux.LibC;
import io.millrace.linux.SocketOptions;
import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.SelectStrategy;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.FileDescriptor;
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
 * Netty's epoll event loop and its socket calls, with a handle of our own instead of a channel and its pipeline. The
 * receive call is Netty's, or that of a module.
 */
final class EpollTransport implements Transport {
    private static final Logger LOG = LoggerFactory.getLogger(EpollTransport.class);
    private static final int BUSY_POLL_MICROS = 50;

    private final @Nullable DatagramReaderProvider readers;

    /** Reads with Netty's calls. */
    EpollTransport() {
        this.readers = null;
    }

    /** Reads with what a module brings along. */
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
            // Before the bind: what the reader asks of the socket then holds from the first datagram on.
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
            takeAll(socket);
            raiseReceiveBuffer(socket, settings.receiveBufferBytes());
            if (settings.busyPoll()) {
                setBusyPoll(socket);
            }
            if (!settings.gro()) {
                refuseTrains(socket);
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

    /** Takes away the filter of a process that had begun to stop: it would refuse everything for good. */
    private static void takeAll(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_DETACH_FILTER, 0);
        } catch (IOException | ChannelException thereIsNone) {
            LOG.debug("No filter was attached", thereIsNone);
        }
    }

    /** Whoever made it may have been allowed more than we are: it never becomes smaller. */
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

    /** An earlier process may have asked for GRO batches: those that wait would each be taken for one datagram. */
    private static void refuseTrains(LinuxSocket socket) throws IOException {
        int groBatches;
        try {
            groBatches = socket.getIntOpt(SocketOptions.IPPROTO_UDP, SocketOptions.UDP_GRO);
        } catch (IOException | ChannelException e) {
            endTrains(socket);
            return;
        }
        if (groBatches != 0) {
            throw new IOException(
                    "a socket that was passed was read with gro on, and may hold GRO batches that cannot be split"
                            + " now: leave gro on, or have the sockets made again (systemctl restart millrace.socket)");
        }
    }

    /** Where the kernel does not tell whether GRO batches were asked for: those that wait already are lost to the count. */
    private static void endTrains(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.IPPROTO_UDP, SocketOptions.UDP_GRO, 0);
        } catch (IOException | ChannelException e) {
            LOG.debug("This kernel has no UDP_GRO: nobody can have asked for it", e);
        }
    }

    /** With CAP_NET_ADMIN the buffer may pass {@code net.core.rmem_max}; without, the kernel grants up to that. */
    private static void setReceiveBuffer(LinuxSocket socket, int bytes) throws IOException {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_RCVBUFFORCE, bytes);
        } catch (IOException | ChannelException notPermitted) {
            socket.setReceiveBufferSize(bytes);
        }
    }

    /** Has the kernel ask the network card when a receive call finds nothing, where it has such a card and we may. */
    private static void setBusyPoll(LinuxSocket socket) {
        try {
            socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_BUSY_POLL, BUSY_POLL_MICROS);
        } catch (IOException | ChannelException e) {
            LOG.info("SO_BUSY_POLL is not permitted, the network card is not polled: {}", e.getMessage());
        }
    }

    /** A UDP socket and its reader. */
    private static final class EpollSocket implements ReceiveSocket, EpollIoHandle {
        private final LinuxSocket socket;
        private final DatagramReader reader;
        private final ByteBuffer memInfo =
                ByteBuffer.allocateDirect(SocketOptions.MEMINFO_BYTES).order(ByteOrder.nativeOrder());
        private final boolean kept;
        private long accounted;
        private Runnable onReadable = () -> {};

        private EpollSocket(LinuxSocket socket, DatagramReader reader, boolean kept) {
            this.socket = socket;
            this.reader = reader;
            this.kept = kept;
        }

        @Override
        public DatagramReader reader() {
            return reader;
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
                        "the kernel does not take the program that chooses a receiver: " + e.getMessage(), e);
            }
        }

        private void endSteering() {
            try {
                socket.setIntOpt(SocketOptions.SOL_SOCKET, SocketOptions.SO_DETACH_REUSEPORT_BPF, 0);
            } catch (IOException | ChannelException e) {
                LOG.debug("Nobody had attached a program", e);
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
        public int grantedReceiveBuffer() {
            try {
                // The kernel doubles what was asked for, to pay for its own bookkeeping, and reports the double.
                return socket.getReceiveBufferSize() / 2;
            } catch (IOException | ChannelException e) {
                return 0;
            }
        }

        @Override
        public InetSocketAddress localAddress() {
            return socket.localAddress();
        }

        @Override
        public IoHandle handle(Runnable whenReadable) {
            onReadable = whenReadable;
            return this;
        }

        @Override
        public IoOps readOps() {
            return EpollIoOps.EPOLLIN;
        }

        @Override
        public IoOps pauseOps() {
            // EpollIoOps.NONE would take the descriptor out of the epoll set, and Netty does not put it back in.
            return EpollIoOps.EPOLLERR;
        }

        @Override
        public FileDescriptor fd() {
            return socket;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            onReadable.run();
        }

        @Override
        public void close() throws IOException {
            reader.close();
            socket.close();
        }
    }
}
