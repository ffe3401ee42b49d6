package io.millrace.output.internal.forward;

import io.millrace.internal.text.IpText;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.sink.Adjustment;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkBatch;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sink with one connection to a syslog server. It connects on demand, and closes the connection after a failure, so that
 * an incomplete message is never continued by another.
 *
 * @param <C> the connection
 */
public abstract class ForwardingSink<C extends ForwardingSink.Connection> implements Sink {
    /** A connection. One thread, whose interrupt ends every wait. */
    public interface Connection extends Closeable {
        /**
         * Checks, without waiting, whether the server has closed the connection.
         *
         * @throws IOException if it has
         */
        void check() throws IOException, InterruptedException;

        /** The address of the server. */
        InetAddress server();

        /** Closes in order, so that the server gets all data. Bounded in time. */
        void finish() throws IOException, InterruptedException;

        /** Closes at once. */
        @Override
        void close();
    }

    private static final Logger LOG = LoggerFactory.getLogger(ForwardingSink.class);

    private static final long MOVE_LOG_NS = TimeUnit.HOURS.toNanos(1);

    private final String place;
    private final SyslogEncoder encoder;
    private final DestinationName name;
    private @Nullable C connection;
    private long movedAtNs;

    /**
     * Creates the sink.
     *
     * @param place where it sends to, as errors name it
     */
    protected ForwardingSink(String place, ForwardTarget target, SyslogEncoder.Encoding encoding) {
        this.place = place;
        this.encoder = new SyslogEncoder(encoding);
        this.name = new DestinationName(target.host(), target.resolve());
    }

    protected abstract C open() throws IOException, InterruptedException;

    /** Sends the open records of a batch. Those that are not refused count as delivered afterwards. */
    protected abstract void send(SinkBatch batch, C to) throws IOException, InterruptedException;

    /** True if a connection has room for this many more messages. */
    protected boolean takes(C open, int messages) {
        return true;
    }

    @Override
    public final @Nullable Object encode(LogRecord record, LineBuffer out) {
        encoder.write(record, out);
        return null;
    }

    @Override
    public final long adjusted(Adjustment how) {
        return how == Adjustment.TRUNCATED ? encoder.truncated() : 0;
    }

    @Override
    public final void send(SinkBatch batch) throws IOException, InterruptedException {
        boolean sent = false;
        try {
            send(batch, connected(batch.size()));
            sent = true;
        } catch (IOException e) {
            throw failure(place, e);
        } finally {
            if (!sent) {
                drop();
            }
        }
        batch.done();
    }

    /** An error for people, which begins with the place. */
    protected static IOException failure(String place, IOException e) {
        String reason = e instanceof UnknownHostException ? "the host name cannot be resolved" : e.getMessage();
        return new IOException(place + ": " + (reason == null ? e.getClass().getSimpleName() : reason), e);
    }

    @Override
    public final void refresh() {
        name.lookUpAgain();
    }

    /** Once per hour, because some names have another address at each lookup. */
    private void logMove(InetAddress from) {
        long nowNs = System.nanoTime();
        if (movedAtNs == 0 || nowNs - movedAtNs > MOVE_LOG_NS) {
            movedAtNs = nowNs;
            LOG.info("{}: the host name has other addresses than {} now: connecting again", place, IpText.of(from));
        }
    }

    /** The open connection, unless the server has closed it meanwhile, or its host name has other addresses; else a new one. */
    private C connected(int messages) throws IOException, InterruptedException {
        C to = connection;
        if (to != null) {
            try {
                to.check();
                boolean hasMoved = name.hasLeft(to.server());
                if (takes(to, messages) && !hasMoved) {
                    return to;
                }
                if (hasMoved) {
                    logMove(to.server());
                }
                close();
            } catch (IOException e) {
                // Nothing was sent yet, so this is not a failure: servers close idle connections.
                drop();
            }
        }
        to = open();
        connection = to;
        name.connected();
        return to;
    }

    private void drop() {
        C old = connection;
        connection = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public final void close() throws IOException {
        try (C old = connection) {
            connection = null;
            if (old != null) {
                old.finish();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
