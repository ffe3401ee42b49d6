package io.millrace.bench.reference;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A receiver that writes every datagram to a file. Made bound by {@link ReferenceReceivers#open}: datagrams wait in the socket until
 * {@link #start}. {@link #close} reads the socket until it is empty, then writes out all that was received. No datagram
 * and no failed write ends a reference receiver; they are counted.
 */
public abstract class ReferenceReceiver implements AutoCloseable {
    /** A socket that is never empty is given up after this long: the stop is bounded. */
    static final long DRAIN_LIMIT_NS = 10_000_000_000L;

    /** How long the receiving thread may take to end, drain included. */
    static final long JOIN_LIMIT_MS = 20_000;

    private final LineSink sink;
    private final ReceivedCount received = new ReceivedCount();
    private final ReceivedCount errors = new ReceivedCount();
    private volatile @Nullable IOException firstError;
    private boolean started;
    private boolean closed;

    ReferenceReceiver(LineSink sink) {
        this.sink = sink;
    }

    /** Begins to receive; once. */
    public final void start() {
        if (started || closed) {
            throw new IllegalStateException("a reference receiver starts once");
        }
        started = true;
        begin();
    }

    /** Starts the receiving thread. */
    abstract void begin();

    /** Reads the socket until it is empty, ends the receiving thread, and closes the socket. */
    abstract void drain() throws IOException, InterruptedException;

    /** Closes a socket that was never read. */
    abstract void abandon() throws IOException;

    /** The port it listens on. */
    public abstract int localPort();

    /**
     * The receive buffer as {@code getsockopt(SO_RCVBUF)} has it: the kernel doubles what it is asked for, to pay for
     * its own bookkeeping. The JDK halves the value again; here it is the kernel's.
     */
    public abstract int grantedReceiveBuffer();

    /** Counts and writes a datagram. The receiving thread. */
    final void onDatagram(ByteBuffer payload, InetAddress source) {
        received.add(1);
        try {
            sink.writeLine(payload, source);
        } catch (IOException e) {
            onError(e);
        }
    }

    /** Counts a failure to receive or to write. The receiving thread. */
    final void onError(IOException e) {
        errors.add(1);
        if (firstError == null) {
            firstError = e;
        }
    }

    /** Datagrams received so far. Any thread. */
    public final long received() {
        return received.get();
    }

    /** Datagrams written so far; those in buffers are counted, and are in the file after {@link #close}. Any thread. */
    public final long written() {
        return sink.written();
    }

    /** Calls that failed, to receive or to write. Any thread. */
    public final long errors() {
        return errors.get();
    }

    /** The first call that failed; null if none did. Any thread. */
    public final @Nullable IOException firstError() {
        return firstError;
    }

    /** Drains the socket, writes everything out, and closes both. A second call does nothing. */
    @Override
    public final void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (sink) {
            if (started) {
                drain();
            } else {
                abandon();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the socket was drained", e);
        }
    }

    /** Says which address could not be bound. */
    static IOException bindFailure(InetSocketAddress address, Throwable cause) {
        IOException failure = new BindException("cannot listen on " + address + ": " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }
}
