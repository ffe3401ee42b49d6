package io.millrace.internal.transport;

import io.millrace.transport.DatagramReader;
import io.millrace.transport.StagedDatagram;
import io.netty.channel.IoHandle;
import io.netty.channel.IoOps;
import io.netty.channel.nio.NioIoOps;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Queue;

/** A socket with the datagrams, failures and drops that a test puts into it. */
public final class FakeSocket implements ReceiveSocket {
    /** A receive call that fails. */
    public static final byte[] FAILURE = new byte[0];

    private final Queue<byte[]> queue = new ArrayDeque<>();
    private final Queue<Byte> sources = new ArrayDeque<>();
    private byte source = 1;
    private final DatagramReader reader;
    public long drops;
    public boolean local;
    public int reads;

    public FakeSocket(int maxDatagramBytes) {
        reader = new SingleReader(this::receive, maxDatagramBytes);
    }

    public FakeSocket put(String... payloads) {
        for (String payload : payloads) {
            put(payload.getBytes(StandardCharsets.UTF_8));
        }
        return this;
    }

    public FakeSocket put(byte[] payload) {
        queue.add(payload);
        sources.add(source);
        return this;
    }

    /** Sets the source of the next datagrams to 10.0.0.N. */
    public FakeSocket from(int host) {
        source = (byte) host;
        return this;
    }

    public int left() {
        return queue.size();
    }

    @Override
    public DatagramReader reader() {
        return reader;
    }

    private boolean receive(StagedDatagram into) throws IOException {
        reads++;
        byte[] next = queue.poll();
        if (next == null) {
            return false;
        }
        byte from = sources.remove();
        if (next == FAILURE) {
            throw new IOException("Cannot allocate memory");
        }
        int length = Math.min(next.length, into.payload().capacity());
        into.payload().put(0, next, 0, length);
        into.source(new byte[] {10, 0, 0, from}, 0, 514);
        into.received(length);
        return true;
    }

    @Override
    public boolean isLocal() {
        return local;
    }

    @Override
    public long drops() {
        return drops;
    }

    @Override
    public int grantedReceiveBuffer() {
        return 0;
    }

    @Override
    public InetSocketAddress localAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public IoHandle handle(Runnable onReadable) {
        throw new AssertionError("a test drives the receiver itself");
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
    public void close() {}
}
