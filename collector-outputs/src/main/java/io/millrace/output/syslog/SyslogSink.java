package io.millrace.output.syslog;

import io.millrace.output.internal.forward.ForwardTarget;
import io.millrace.output.internal.forward.ForwardingSink;
import io.millrace.output.internal.forward.SyslogConnection;
import io.millrace.output.internal.forward.SyslogEncoder;
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
 * <p>With {@code keepSource} a message gets an element of structured data, {@code [millrace@32473
 * source="192.0.2.1" port="514" input="syslog" shard="0" sequence="42"]}, with its {@code part} if its datagram was
 * split. The name is unique in a message.
 *
 * <p>No message is longer than {@code maxMessage}: a message too long for a receiver may cost the
 * connection, or all messages after it.
 */
final class SyslogSink extends ForwardingSink<SyslogConnection> {
    private final ForwardTarget target;

    SyslogSink(String place, ForwardTarget target, SyslogEncoder.Encoding encoding) {
        super(place, target, encoding);
        this.target = target;
    }

    /**
     * Connects as the sink does, and closes the connection.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached
     */
    static String connect(String place, ForwardTarget target) throws IOException, InterruptedException {
        try {
            if (target.udp()) {
                return place + ": the address is "
                        + InetAddress.getByName(target.host()).getHostAddress()
                        + "; nothing can be tried, because UDP has no answers";
            }
            try (SyslogConnection connection = SyslogConnection.open(target)) {
                connection.check();
                return place + ": " + connection.description();
            }
        } catch (IOException e) {
            throw failure(place, e);
        }
    }

    @Override
    protected SyslogConnection open() throws IOException, InterruptedException {
        return SyslogConnection.open(target);
    }

    /** In a stream, adjacent records are sent together; each datagram is sent alone. */
    @Override
    protected void send(SinkBatch batch, SyslogConnection to) throws IOException, InterruptedException {
        boolean stream = !target.udp();
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
