package io.millrace.app.sink.syslog;

import io.millrace.app.sink.syslog.SyslogSinkSettings.Transport;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.net.InetAddress;

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
public final class SyslogSink extends ForwardingSink<SyslogConnection> {
    private final SyslogSinkSettings settings;

    /** Creates the sink, which connects on demand. */
    public SyslogSink(SyslogSinkSettings settings) {
        super(place(settings), settings, new SyslogEncoder(settings, settings.transport() != Transport.UDP));
        this.settings = settings;
    }

    private static String place(SyslogSinkSettings settings) {
        return settings.transport() + " to " + settings.host() + " port " + settings.port();
    }

    /**
     * Connects as the sink does, and closes the connection.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached
     */
    static String connect(SyslogSinkSettings settings) throws IOException, InterruptedException {
        String place = place(settings);
        try {
            if (settings.transport() == Transport.UDP) {
                return place + ": the address is "
                        + InetAddress.getByName(settings.host()).getHostAddress()
                        + "; nothing can be tried, because UDP has no answers";
            }
            try (SyslogConnection connection = SyslogConnection.open(settings)) {
                connection.check();
                return place + ": " + connection.description();
            }
        } catch (IOException e) {
            throw failure(place, e);
        }
    }

    @Override
    protected SyslogConnection open() throws IOException, InterruptedException {
        return SyslogConnection.open(settings);
    }

    /** In a stream, adjacent records are sent together; each datagram is sent alone. */
    @Override
    protected void send(SinkBatch batch, SyslogConnection to) throws IOException, InterruptedException {
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
        to.check();
    }
}
