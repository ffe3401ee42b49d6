package io.millrace.app.sink.relp;

import io.millrace.app.sink.syslog.ForwardingSink;
import io.millrace.app.sink.syslog.SyslogEncoder;
import io.millrace.app.sink.syslog.SyslogSinkSettings;
import io.millrace.sink.SinkBatch;
import java.io.IOException;

/**
 * The sink that forwards messages over RELP, with or without TLS. A record is delivered when the server has acknowledged it. After a
 * failure, the records without an answer are sent again over a new connection, so a message may arrive twice.
 *
 * <p>A message that the server answers with an error becomes a dead letter. Any other unexpected behaviour of the server fails the session.
 */
public final class RelpSink extends ForwardingSink<RelpSession> {
    private final SyslogSinkSettings settings;

    /** Creates the sink, which connects on demand. The transport is TCP or TLS; the framing is that of RELP. */
    public RelpSink(SyslogSinkSettings settings) {
        super(place(settings), settings, new SyslogEncoder(settings, false));
        if (settings.transport() == SyslogSinkSettings.Transport.UDP) {
            throw new IllegalArgumentException("transport takes tcp or tls, not udp");
        }
        this.settings = settings;
    }

    private static String place(SyslogSinkSettings settings) {
        return "RELP to " + settings.host() + " port " + settings.port();
    }

    /**
     * Opens a session as the sink does, and closes it.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached, or is none of RELP
     */
    static String connect(SyslogSinkSettings settings) throws IOException, InterruptedException {
        try {
            RelpSession opened = RelpSession.open(settings);
            String description = opened.description();
            close(opened);
            return place(settings) + ": the session is opened; " + description;
        } catch (IOException e) {
            throw failure(place(settings), e);
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
    protected RelpSession open() throws IOException, InterruptedException {
        return RelpSession.open(settings);
    }

    @Override
    protected boolean takes(RelpSession open, int messages) {
        return open.hasNumbersFor(messages);
    }

    @Override
    protected void send(SinkBatch batch, RelpSession to) throws IOException, InterruptedException {
        to.send(batch);
    }
}
