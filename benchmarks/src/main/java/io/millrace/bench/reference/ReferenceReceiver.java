package io.millrace.bench.reference;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A simple receiver to compare the collector with: it writes every datagram to a file. {@link ReferenceReceivers#open} binds
 * the socket, and datagrams wait there until {@link #start}. {@link #close} drains the socket and flushes the file. Errors
 * are counted and do not end a receiver.
 */
public abstract class ReferenceReceiver implements AutoCloseable {
    /** The maximum time to drain a socket that is never empty. */
    static final long DRAIN_LIMIT_NS = 10_000_000_000L;

    /** The maximum time for the receiving thread to end, including the drain. */
    static final long JOIN_LIMIT_MS = 20_000;

    private final LineSink sink;
    private final SingleWriterCounter received = new SingleWriterCounter();
    private final SingleWriterCounter errors = new SingleWriterCounter();
    private volatile @Nullable IOException firstError;
    private boolean started;
    private boolean closed;

    ReferenceReceiver(LineSink sink) {
        this.sink = sink;
    }

    /** Begins to receive; once. */
    public final void start() {
        if (started || closed) {
            throw new IllegalStateException("a receiver starts once");
        }
        started = true;
        begin();
    }

    /** Starts the receiving thread. */
    abstract void begin();

    /** Reads the socket until it is empty, ends the receiving thread, and closes the socket. */
    abstract void drain() throws IOException, InterruptedException;

    /** Closes the socket without draining it. */
    abstract void abandon() throws IOException;

    /** The port it listens on. */
    public abstract int localPort();

    /**
     * The receive buffer as {@code getsockopt(SO_RCVBUF)} returns it: the kernel doubles the requested size for its
     * bookkeeping. The JDK halves the value again; here it is that of the kernel.
     */
    public abstract int grantedReceiveBuffer();

    /** Counts and writes a datagram. The receiving thread. */
    final void onDatagram(ByteBuffer payload, InetAddress source) {
        received.increment();
        try {
            sink.writeLine(payload, source);
        } catch (IOException e) {
            onError(e);
        }
    }

    /** Counts a failure to receive or to write. The receiving thread. */
    final void onError(IOException e) {
        errors.increment();
        if (firstError == null) {
            firstError = e;
        }
    }

    /** The number of datagrams received so far. Any thread. */
    public final long received() {
        return received.get();
    }

    /** The number of datagrams written so far, including buffers that {@link #close} flushes. Any thread. */
    public final long written() {
        return sink.written();
    }

    /** The number of failed receives and writes. Any thread. */
    public final long errors() {
        return errors.get();
    }

    /** The first failure; null if there was none. Any thread. */
    public final @Nullable IOException firstError() {
        return firstError;
    }

    /** Drains the socket, flushes the file, and closes both. A second call has no effect. */
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

    /** An exception with the address that could not be bound. */
    static IOException bindFailure(InetSocketAddress address, Throwable cause) {
        IOException failure = new BindException("cannot listen on " + address + ": " + cause.getMessage());
        failure.initCause(cause);
        return failure;
    }
}
