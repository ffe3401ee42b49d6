package io.millrace.sender;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/** A blocking, connected channel for each source, and so a local port of its own. */
final class ChannelTransmitter implements Transmitter {
    private final DatagramChannel[] channels;

    private ChannelTransmitter(DatagramChannel[] channels) {
        this.channels = channels;
    }

    /** Opens all sources, or none. */
    static ChannelTransmitter open(InetSocketAddress to, int sources) throws IOException {
        // A socket of the target's own family: one for both sends to an IPv4 address by a detour through IPv6.
        StandardProtocolFamily family =
                to.getAddress() instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
        // The JDK's first close of a channel needs file descriptors itself. If these run out below, it must have been.
        DatagramChannel.open(family).close();
        DatagramChannel[] channels = new DatagramChannel[sources];
        for (int i = 0; i < sources; i++) {
            try {
                channels[i] = DatagramChannel.open(family);
                channels[i].connect(to);
            } catch (IOException e) {
                closeAll(channels, e);
                throw new IOException(
                        Text.format("cannot open socket %,d of %,d to %s: %s", i + 1, sources, to, e.getMessage()), e);
            }
        }
        return new ChannelTransmitter(channels);
    }

    @Override
    public void send(int source, ByteBuffer datagram) throws IOException {
        int size = datagram.remaining();
        int written = channels[source].write(datagram);
        if (written != size) {
            throw new IOException("only " + written + " of " + size + " bytes were taken");
        }
    }

    @Override
    public boolean wasLastRefused(int source) throws IOException {
        DatagramChannel channel = channels[source];
        channel.configureBlocking(false);
        try {
            channel.read(ByteBuffer.allocate(1));
            return false;
        } catch (PortUnreachableException e) {
            return true;
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

    private static void closeAll(DatagramChannel[] channels, IOException failure) {
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
