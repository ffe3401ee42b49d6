package io.millrace.app.sink.relp;

import io.millrace.app.sink.syslog.SyslogEncoder;
import io.millrace.app.sink.syslog.SyslogSinkSettings;
import io.millrace.deliver.Adjustment;
import io.millrace.deliver.Sink;
import io.millrace.deliver.SinkBatch;
import io.millrace.format.LineBuffer;
import io.millrace.format.LogRecord;
import java.io.IOException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The sink that forwards messages over RELP, with or without TLS. A record is delivered when the server has acknowledged it. After a
 * failure, the records without an answer are sent again over a new connection, so a message may arrive twice.
 *
 * <p>A message that the server answers with an error becomes a dead letter. Any other unexpected behaviour of the server fails the session.
 */
public final class RelpSink implements Sink {
    private final SyslogSinkSettings settings;
    private final SyslogEncoder encoder;
    private @Nullable RelpSession session;

    /** Creates the sink, which connects on demand. The transport is TCP or TLS; the framing is that of RELP. */
    public RelpSink(SyslogSinkSettings settings) {
        if (settings.transport() == SyslogSinkSettings.Transport.UDP) {
            throw new IllegalArgumentException("transport takes tcp or tls, not udp");
        }
        this.settings = settings;
        this.encoder = new SyslogEncoder(settings, false);
    }

    /**
     * Opens a session as the sink does, and closes it.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached, or is none of RELP
     */
    static String connect(SyslogSinkSettings settings) throws IOException, InterruptedException {
        String place = "RELP to " + settings.host() + " port " + settings.port() + ": ";
        try {
            RelpSession opened = RelpSession.open(settings);
            String description = opened.description();
            close(opened);
            return place + "the session is opened; " + description;
        } catch (IOException e) {
            throw new IOException(place + reason(e), e);
        }
    }

    /** A session that was opened is enough: some servers close the connection without an answer. */
    private static void close(RelpSession opened) throws InterruptedException {
        try {
            opened.finish();
        } catch (IOException e) {
            opened.close();
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
            connected(batch.size()).send(batch);
            sent = true;
        } catch (IOException e) {
            throw new IOException("RELP to " + settings.host() + " port " + settings.port() + ": " + reason(e), e);
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

    /** The open session, unless the server has closed it meanwhile; else a new one. */
    private RelpSession connected(int messages) throws IOException, InterruptedException {
        RelpSession to = session;
        if (to != null) {
            try {
                to.check();
                if (to.hasNumbersFor(messages)) {
                    return to;
                }
                close();
            } catch (IOException e) {
                // Nothing was sent yet, so this is not a failure: servers close idle sessions.
                drop();
            }
        }
        to = RelpSession.open(settings);
        session = to;
        return to;
    }

    private void drop() {
        RelpSession old = session;
        session = null;
        if (old != null) {
            old.close();
        }
    }

    @Override
    public void close() throws IOException {
        RelpSession old = session;
        session = null;
        if (old != null) {
            try {
                old.finish();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
