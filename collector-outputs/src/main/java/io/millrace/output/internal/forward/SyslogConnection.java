package io.millrace.output.internal.forward;

import io.millrace.output.internal.tls.TlsContext;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A connection to a syslog server. */
public interface SyslogConnection extends ForwardingSink.Connection {
    /**
     * Connects.
     *
     * @throws IOException if that failed, or took too long
     */
    static SyslogConnection open(ForwardTarget target) throws IOException, InterruptedException {
        if (target.udp()) {
            return UdpConnection.open(target.host(), target.port(), target.ackTimeout());
        }
        return target.tls() == null
                ? TcpConnection.open(
                        target.host(),
                        target.port(),
                        System.nanoTime() + target.connectTimeout().toNanos(),
                        target.ackTimeout())
                : TlsConnection.open(target, TlsContext.of(target.tls()));
    }

    /**
     * Sends bytes: one message over UDP, or any number of framed ones in a stream.
     *
     * @throws IOException if the server is gone or accepts nothing for too long. The data may be sent in part: the
     *     connection must be closed
     */
    void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException;

    /**
     * Reads what the server has sent, without waiting.
     *
     * @param to has room for 32 KiB or more
     * @return the number of bytes, possibly 0
     * @throws IOException if the server has closed the connection
     */
    default int read(ByteBuffer to) throws IOException, InterruptedException {
        throw new UnsupportedOperationException("a server answers in a stream only");
    }

    /**
     * Waits until there may be something to read; it may also return early.
     *
     * @param endNs the time limit, by {@link System#nanoTime}
     * @return false at the time limit
     */
    default boolean awaitReadable(long endNs) throws IOException, InterruptedException {
        throw new UnsupportedOperationException("a server answers in a stream only");
    }

    /** What is known of the server, for people. */
    default String description() {
        return "the connection is accepted";
    }
}
