package io.millrace.app.sink.syslog;

import java.io.Closeable;
import java.io.IOException;

/** An open way to a syslog server. One thread; an interrupt of it ends every wait. */
interface SyslogConnection extends Closeable {
    /**
     * Sends bytes: a message over UDP, any number of framed ones in a stream.
     *
     * @throws IOException if the server is gone or takes nothing for too long. What was sent may be incomplete: the
     *     connection can only be closed
     */
    void send(byte[] bytes, int begin, int end) throws IOException, InterruptedException;

    /**
     * Looks whether the server is still there, as far as this host has heard; does not wait.
     *
     * @throws IOException if it is gone
     */
    void check() throws IOException, InterruptedException;

    /** Says good-bye, so that the server gets all it was sent, and closes. Bounded in time. */
    void finish() throws IOException, InterruptedException;

    /** Closes at once. */
    @Override
    void close();
}
