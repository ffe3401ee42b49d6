package io.millrace.internal.transport;

import io.millrace.collector.BoundSocket;
import io.millrace.internal.linux.ProcNetUdp;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.StagedDatagram;
import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.nio.NioIoHandle;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.nio.NioIoOps;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import org.jspecify.annotations.Nullable;

/** The transport {@code nio}: the JDK's DatagramChannel. It needs no native library, and cannot refuse datagrams at the stop. */
final class NioTransport implements Transport {
    @Override
    public String name() {
        return "nio";
    }

    @Override
    public @Nullable String unavailableBecause() {
        return null;
    }

    @Override
    public boolean canRefuse() {
        return false;
    }

    @Override
    public boolean canSplit() {
        return false;
    }

    @Override
    public boolean isOnEpoll() {
        return false;
    }

    @Override
    public boolean tellsTime() {
        return false;
    }

    @Override
    public IoHandlerFactory ioHandlerFactory(boolean busyPoll) {
        return NioIoHandler.newFactory();
    }

    @Override
    public ReceiveSocket open(InetSocketAddress address, SocketSettings settings, Sharing sharing) throws IOException {
        boolean ipv6 = address.getAddress() instanceof Inet6Address;
        DatagramChannel channel =
                DatagramChannel.open(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, settings.receiveBufferBytes());
            if (sharing == Sharing.MEMBER) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            channel.bind(address);
            if (sharing == Sharing.FIRST) {
                channel.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            }
            InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
            return new NioSocket(channel, bound, ProcNetUdp.claimNewest(bound.getPort()), settings.maxDatagramBytes());
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public ReceiveSocket adopt(BoundSocket bound, SocketSettings settings, DropMarks marks) throws IOException {
        throw new IOException("transport nio cannot use a passed socket; use native or epoll");
    }

    /** A socket that is read with {@link DatagramChannel#receive}. */
    private static final class NioSocket implements ReceiveSocket, NioIoHandle {
        private final DatagramChannel channel;
        private final InetSocketAddress localAddress;
        private final long inode;
        private final DatagramReader reader;
        private Runnable onReadable = () -> {};
        private @Nullable InetSocketAddress lastSource;
        private byte[] lastAddress = {};
        private int lastScopeId;

        private NioSocket(DatagramChannel channel, InetSocketAddress localAddress, long inode, int maxDatagramBytes) {
            this.channel = channel;
            this.localAddress = localAddress;
            this.inode = inode;
            this.reader = new SingleReader(this::receive, maxDatagramBytes);
        }

        @Override
        public DatagramReader reader() {
            return reader;
        }

        @SuppressWarnings("ReferenceEquality") // The same object is the same source, its scope included.
        private boolean receive(StagedDatagram into) throws IOException {
            ByteBuffer payload = into.payload().clear();
            InetSocketAddress source = (InetSocketAddress) channel.receive(payload);
            if (source == null) {
                return false;
            }
            // The channel returns the same object while the source is the same.
            if (source != lastSource) {
                lastSource = source;
                InetAddress address = source.getAddress();
                lastAddress = address.getAddress();
                lastScopeId = address instanceof Inet6Address v6 ? v6.getScopeId() : 0;
            }
            into.source(lastAddress, lastScopeId, source.getPort());
            into.received(payload.position());
            payload.clear();
            return true;
        }

        @Override
        public long drops() {
            return ProcNetUdp.drops(inode);
        }

        @Override
        public long queuedBytes() {
            return ProcNetUdp.queuedBytes(inode);
        }

        @Override
        public int grantedReceiveBuffer() {
            try {
                // The kernel reports twice the requested size, and the JDK halves that.
                return channel.getOption(StandardSocketOptions.SO_RCVBUF);
            } catch (IOException e) {
                return 0;
            }
        }

        @Override
        public InetSocketAddress localAddress() {
            return localAddress;
        }

        @Override
        public IoHandle handle(Runnable whenReadable) {
            onReadable = whenReadable;
            return this;
        }

        @Override
        public IoOps readOps() {
            return NioIoOps.READ;
        }

        @Override
        public IoOps pauseOps() {
            return NioIoOps.NONE;
        }

        @Override
        public SelectableChannel selectableChannel() {
            return channel;
        }

        @Override
        public void handle(IoRegistration registration, IoEvent event) {
            onReadable.run();
        }

        @Override
        public void close() throws IOException {
            channel.close();
            ProcNetUdp.release(inode);
        }
    }
}
