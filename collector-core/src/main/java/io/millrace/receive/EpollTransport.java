package io.millrace.receive;

import io.millrace.record.StagedDatagram;
import io.netty.channel.ChannelException;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.DatagramSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Netty's epoll event loop and its socket calls, with a handle of our own instead of a channel and its pipeline. */
final class EpollTransport implements Transport {
    @Override
    public String name() {
        return "epoll";
    }

    @Override
    public @Nullable String unavailableBecause() {
        Throwable cause = Epoll.unavailabilityCause();
        return cause == null ? null : "Netty's epoll library does not load: " + cause.getMessage();
    }

    @Override
    public boolean canRefuse() {
        return true;
    }

    @Override
    public IoHandlerFactory ioHandlerFactory() {
        return EpollIoHandler.newFactory();
    }

    @Override
    public ReceiveSocket open(InetSocketAddress address, int receiveBufferBytes, Sharing sharing) throws IOException {
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        LinuxSocket socket = LinuxSocket.newSocketDgram(ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        try {
            setReceiveBuffer(socket, receiveBufferBytes);
            if (sharing == Sharing.MEMBER) {
                socket.setReusePort(true);
            }
            socket.bind(address);
            if (sharing == Sharing.FIRST) {
                socket.setReusePort(true);
            }
            return new EpollSocket(socket);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** With CAP_NET_ADMIN the buffer may pass {@code net.core.rmem_max}; without, the kernel grants up to that. */
    private static void setReceiveBuffer(LinuxSocket socket, int bytes) throws IOException {
        try {
            socket.setIntOpt(LinuxOptions.SOL_SOCKET, LinuxOptions.SO_RCVBUFFORCE, bytes);
        } catch (IOException | ChannelException notPermitted) {
            socket.setReceiveBufferSize(bytes);
        }
    }

    /** A UDP socket read with recvfrom. */
    private static final class EpollSocket implements ReceiveSocket, EpollIoHandle {
        private final LinuxSocket socket;
        private final ByteBuffer memInfo =
                ByteBuffer.allocateDirect(LinuxOptions.MEMINFO_BYTES).order(ByteOrder.nativeOrder());
        private Runnable onReadable = () -> {};

        private EpollSocket(LinuxSocket socket) {
            this.socket = socket;
        }

        @Override
        public boolean receive(StagedDatagram into) throws IOException {
            ByteBuffer payload = into.payload();
            DatagramSocketAddress source = socket.recvFromAddress(Buffer.memoryAddress(payload), 0, payload.capacity());
            if (source == null) {
                return false;
            }
            InetAddress address = source.getAddress();
            int scopeId = address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
            into.source(address.getAddress(), scopeId, source.getPort());
            into.received(source.receivedAmount());
            return true;
        }

        @Override
        public long drops() {
            try {
                memInfo.clear();
                socket.getRawOpt(LinuxOptions.SOL_SOCKET, LinuxOptions.SO_MEMINFO, memInfo);
                return Integer.toUnsignedLong(memInfo.getInt(LinuxOptions.MEMINFO_DROPS_OFFSET));
            } catch (IOException | ChannelException e) {
                return UNAVAILABLE;
            }
        }

        @Override
        public boolean refuseAll() {
            try {
                socket.setRawOpt(
                        LinuxOptions.SOL_SOCKET, LinuxOptions.SO_ATTACH_FILTER, LinuxOptions.refuseAllProgram());
                return true;
            } catch (IOException | ChannelException e) {
                return false;
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
            socket.close();
        }
    }
}
