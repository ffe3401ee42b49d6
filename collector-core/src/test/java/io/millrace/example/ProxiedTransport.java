package io.millrace.example;

import io.millrace.transport.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.DatagramReaderProvider;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import io.millrace.transport.StagedDatagram;
import io.netty.channel.epoll.LinuxSocket;
import io.netty.channel.unix.Buffer;
import io.netty.channel.unix.DatagramSocketAddress;
import java.io.IOException;
import java.net.Inet6Address;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The transport {@code proxied}, for a collector behind a proxy that puts a Simple Proxy Protocol header before each payload: 56 EC,
 * the addresses of the sender and of the proxy in 16 bytes each, and their ports. Datagrams are journaled with the sender's address and
 * without the header. A datagram without a header is from the proxy itself. Allow only the proxy to send to the port: the header can
 * name any sender.
 */
public final class ProxiedTransport implements DatagramReaderProvider {
    private static final short MAGIC = 0x56ec;
    private static final int ADDRESS = 2;
    private static final int ADDRESS_BYTES = 16;
    private static final int PORT = ADDRESS + 2 * ADDRESS_BYTES;
    private static final int HEADER_BYTES = PORT + 4;

    @Override
    public String name() {
        return "proxied";
    }

    @Override
    public @Nullable String unavailableBecause() {
        return null;
    }

    @Override
    public DatagramReader open(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps) {
        return new Reader(LinuxSocket.newSocket(descriptor), maxDatagramBytes);
    }

    /** Reads one datagram at a time. */
    private static final class Reader implements DatagramReader {
        private final LinuxSocket socket;
        private final ByteBuffer received;
        private final StagedDatagram datagram;
        private final byte[] source = new byte[ADDRESS_BYTES];
        private final ReadResult result = new ReadResult();
        private boolean isStaged;

        Reader(LinuxSocket socket, int maxDatagramBytes) {
            this.socket = socket;
            this.datagram = new StagedDatagram(maxDatagramBytes);
            // One byte more than is kept: a full buffer means that the datagram was longer.
            this.received =
                    ByteBuffer.allocateDirect(HEADER_BYTES + datagram.payload().capacity());
        }

        @Override
        public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
            int brought = 0;
            if (!isStaged) {
                if (!receive(clock)) {
                    return result.set(0, false);
                }
                brought = 1;
            }
            // If the batch is full, the datagram is the first one of the next batch.
            isStaged = !batch.append(datagram, input);
            return result.set(brought, true);
        }

        private boolean receive(EpochClock clock) throws IOException {
            DatagramSocketAddress from = socket.recvFromAddress(Buffer.memoryAddress(received), 0, received.capacity());
            if (from == null) {
                return false;
            }
            int bytes = from.receivedAmount();
            boolean isProxied = bytes >= HEADER_BYTES && received.getShort(0) == MAGIC;
            int begin = isProxied ? HEADER_BYTES : 0;
            if (isProxied) {
                received.get(ADDRESS, source);
                datagram.source(source, 0, Short.toUnsignedInt(received.getShort(PORT)));
            } else {
                int scopeId = from.getAddress() instanceof Inet6Address v6 ? v6.getScopeId() : 0;
                datagram.source(from.getAddress().getAddress(), scopeId, from.getPort());
            }
            int length = Math.min(bytes - begin, datagram.payload().capacity());
            datagram.payload().put(0, received, begin, length);
            datagram.received(length);
            datagram.receiveTimeNs(clock.epochNs());
            return true;
        }

        @Override
        public int staged() {
            return isStaged ? 1 : 0;
        }

        @Override
        public void close() {
            // Nothing to close: the reader only has memory.
        }
    }
}
