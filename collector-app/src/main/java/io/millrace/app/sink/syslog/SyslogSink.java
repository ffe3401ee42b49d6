package io.millrace.app.sink.syslog;

import io.millrace.app.sink.syslog.SyslogSinkSettings.Transport;
import io.millrace.deliver.Adjustment;
import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The sink that forwards messages as syslog: over UDP (RFC 5426), TCP (RFC 6587) or TLS (RFC 5425), as RFC 5424 or
 * unchanged.
 *
 * <p><b>Possible loss.</b> Syslog has no acknowledgement. A batch is done when the kernel has accepted all of it and
 * the connection seemed alive before and after. If the server then ends or its host dies, data in the send buffer of
 * this host or in the receive buffer of the other is lost: up to some MiB over TCP and TLS. A slow or paused server
 * causes no loss. Over UDP only a port without a listener is noticed. If that is not enough, use another type of
 * output.
 *
 * <p>A failed connection is closed, so that an incomplete message is never continued by another. The batch is resent
 * from its beginning, and may arrive twice.
 *
 * <p>With {@link SyslogSinkSettings#keepSource} a message gets an element of structured data, {@code [millrace@32473
 * source="192.0.2.1" port="514" input="syslog" shard="0" sequence="42"]}, with its {@code part} if its datagram was
 * split. The name is unique in a message: see {@link SourceElement}.
 *
 * <p>No message is longer than {@link SyslogSinkSettings#maxMessage}: a message too long for a receiver may cost the
 * connection, or all messages after it.
 */
public final class SyslogSink implements Sink {
    private final SyslogSinkSettings settings;
    private final SyslogEncoder encoder;
    private @Nullable SyslogConnection connection;

    /** Creates the sink, which connects on demand. */
    public SyslogSink(SyslogSinkSettings settings) {
        this.settings = settings;
        this.encoder = new SyslogEncoder(settings, settings.transport() != Transport.UDP);
    }

    /**
     * Connects as the sink does, and closes the connection.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached
     */
    static String connect(SyslogSinkSettings settings) throws IOException, InterruptedException {
        String place = settings.host() + " port " + settings.port();
        try {
            if (settings.transport() == Transport.UDP) {
                return "UDP to " + place + ": the address is "
                        + InetAddress.getByName(settings.host()).getHostAddress()
                        + "; nothing can be tried, because UDP has no answers";
            }
            try (SyslogConnection connection = SyslogConnection.open(settings)) {
                connection.check();
                return settings.transport() + " to " + place + ": " + connection.description();
            }
        } catch (IOException e) {
            throw new IOException(settings.transport() + " to " + place + ": " + reason(e), e);
        }
    }

    @Override
    public @Nullable Object encode(LogRecord record, LineBuffer out) {
        encoder.write(record, out);
        return null;
    }

    @Override
    public long adjusted(Adjustment how) {
        return how == Adjustment.TRUNCATED ? encoder.truncated() : 0;
    }

    @Override
    public void send(SinkBatch batch) throws IOException, InterruptedException {
        boolean sent = false;
        try {
            SyslogConnection to = connected();
            sendOpen(batch, to);
            to.check();
            sent = true;
        } catch (IOException e) {
            throw new IOException(
                    settings.transport() + " to " + settings.host() + " port " + settings.port() + ": " + reason(e), e);
        } finally {
            if (!sent) {
                drop();
            }
        }
        batch.done();
    }

    private static String reason(IOException e) {
        if (e instanceof UnknownHostException) {
            return "the host name cannot be resolved";
        }
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** The open connection, unless the server has closed it meanwhile; else a new one. */
    private SyslogConnection connected() throws IOException, InterruptedException {
        SyslogConnection to = connection;
        if (to != null) {
            try {
                to.check();
                return to;
            } catch (IOException e) {
                // Nothing was written yet, so this is not a failure: servers close idle connections.
                drop();
            }
        }
        to = SyslogConnection.open(settings);
        connection = to;
        return to;
    }

    /** In a stream, adjacent records are sent together; each datagram is sent alone. */
    private void sendOpen(SinkBatch batch, SyslogConnection to) throws IOException, InterruptedException {
        boolean stream = settings.transport() != Transport.UDP;
        for (int i = 0; i < batch.size(); i++) {
            if (!batch.isOpen(i)) {
                continue;
            }
            int begin = batch.begin(i);
            while (stream && i + 1 < batch.size() && batch.isOpen(i + 1)) {
                i++;
            }
            to.send(batch.array(), begin, batch.end(i));
        }
    }

    private void drop() {
        SyslogConnection old = connection;
        connection = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() throws IOException {
        SyslogConnection old = connection;
        connection = null;
        if (old == null) {
            return;
        }
        try {
            old.finish();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            old.close();
        }
    }
}
