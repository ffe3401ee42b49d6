package io.millrace.output;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** A destination, as a test sees it: a real server on the loopback, which keeps its port when it is stopped and started. */
public interface TestServer extends Closeable {
    /** Begins to listen. */
    void start() throws IOException;

    /** Ends at once, with all its connections. */
    @Override
    void close() throws IOException;

    /** The messages that arrived, in the order in which they did. */
    List<String> received();

    /** How long it takes over each connection's next message or each request. */
    void delay(long ms);
}
