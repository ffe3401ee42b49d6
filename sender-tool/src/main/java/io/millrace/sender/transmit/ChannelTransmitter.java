package io.millrace.sender.transmit;

import io.millrace.sender.schedule.SendPlan;
import io.millrace.sender.value.Text;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Transmitter with a blocking, connected channel per source, so each source has its own local port. */
final class ChannelTransmitter implements Transmitter {
    private final DatagramChannel[] channels;
    /** For the warm-up: the channels are connected to themselves and must be read. */
    private final boolean reads;

    private final ByteBuffer arrived;
    private int unread;

    private ChannelTransmitter(DatagramChannel[] channels, boolean reads) {
        this.channels = channels;
        this.reads = reads;
        this.arrived = ByteBuffer.allocateDirect(reads ? SendPlan.MAX_PAYLOAD_BYTES : 0);
    }

    /** Opens all sources, or none. */
    static ChannelTransmitter open(Endpoints endpoints, int from, int sources) throws IOException {
        // The JDK's first close of a channel needs file descriptors itself, so it must come before they run out.
        DatagramChannel.open().close();
        DatagramChannel[] channels = new DatagramChannel[sources];
        for (int i = 0; i < sources; i++) {
            InetSocketAddress target = endpoints.target(from + i);
            try {
                channels[i] = DatagramChannel.open(family(target));
                InetSocketAddress local = endpoints.local(from + i);
                if (local != null) {
                    channels[i].bind(local);
                }
                channels[i].connect(target);
            } catch (IOException e) {
                closeAll(channels, e);
                throw new IOException(
                        Text.format(
                                "cannot open socket %,d of %,d to %s: %s",
                                from + i + 1, endpoints.sources(), target, e.getMessage()),
                        e);
            }
        }
        return new ChannelTransmitter(channels, false);
    }

    /** For the warm-up: one channel for all sources that sends to itself, so nothing leaves the host. */
    static ChannelTransmitter toItself(int sources) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        channel.connect(channel.getLocalAddress());
        channel.configureBlocking(false);
        DatagramChannel[] channels = new DatagramChannel[sources];
        Arrays.fill(channels, channel);
        return new ChannelTransmitter(channels, true);
    }

    /** The family of the target: a dual-stack socket would send to an IPv4 address through the IPv6 code. */
    private static StandardProtocolFamily family(InetSocketAddress to) {
        return to.getAddress() instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        int size = datagram.remaining();
        if (size == 0) {
            // A connected channel sends nothing for an empty buffer and reports success.
            throw new IOException("Java's channels cannot send an empty datagram; --io epoll can");
        }
        int written = channels[source].write(datagram);
        if (written != size) {
            throw new IOException("only " + written + " of " + size + " bytes were sent");
        }
        // Only after every second send, so that the JIT compiler sees both branches.
        if (reads && ++unread == 2) {
            unread = 0;
            while (channels[source].read(arrived.clear()) > 0) {
                // Until the socket is empty.
            }
        }
    }

    @Override
    public void collectErrors(int thread, int threads, SendCounts counts) {
        ByteBuffer unused = ByteBuffer.allocate(1);
        for (int i = thread; i < channels.length && !reads; i += threads) {
            try {
                channels[i].configureBlocking(false);
                channels[i].read(unused.clear());
            } catch (PortUnreachableException e) {
                counts.countRefused(1);
            } catch (IOException e) {
                counts.countError(e);
            }
        }
    }

    @Override
    public void close() throws IOException {
        IOException failure = new IOException("cannot close the sockets");
        closeAll(channels, failure);
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }

    private static void closeAll(@Nullable DatagramChannel[] channels, IOException failure) {
        for (DatagramChannel channel : channels) {
            try {
                if (channel != null) {
                    channel.close();
                }
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
        }
    }
}
