package io.millrace.app.sink.syslog;

import java.io.Closeable;
import java.io.IOException;

/** A connection to a syslog server. One thread, whose interrupt ends every wait. */
interface SyslogConnection extends Closeable {
    /**
     * Sends bytes: one message over UDP, or any number of framed ones in a stream.
     *
     * @throws IOException if the server is gone or accepts nothing for too long. The data may be sent in part: the
     *     connection must be closed
     */
    void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException;

    /**
     * Checks, without waiting, whether the server has closed the connection.
     *
     * @throws IOException if it has
     */
    void check() throws IOException, InterruptedException;

    /** Closes in order, so that the server gets all data. Bounded in time. */
    void finish() throws IOException, InterruptedException;

    /** Closes at once. */
    @Override
    void close();
}
