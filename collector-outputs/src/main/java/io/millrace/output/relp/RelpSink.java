package io.millrace.output.relp;

import io.millrace.output.internal.forward.ForwardTarget;
import io.millrace.output.internal.forward.ForwardingSink;
import io.millrace.output.internal.forward.SyslogEncoder;
import io.millrace.sink.SinkBatch;
import java.io.IOException;

/**
 * The sink that forwards messages over RELP, with or without TLS. A record is delivered when the server has acknowledged it. After a
 * failure, the records without an answer are sent again over a new connection, so a message may arrive twice.
 *
 * <p>A message that the server answers with an error becomes a dead letter. Any other unexpected behaviour of the server fails the session.
 */
final class RelpSink extends ForwardingSink<RelpSession> {
    private final ForwardTarget target;

    RelpSink(ForwardTarget target, SyslogEncoder.Encoding encoding) {
        super(place(target), target, encoding);
        this.target = target;
    }

    private static String place(ForwardTarget target) {
        return "RELP to " + target.host() + " port " + target.port();
    }

    /**
     * Opens a session as the sink does, and closes it.
     *
     * @return what answered
     * @throws IOException if the server cannot be reached, or is none of RELP
     */
    static String connect(ForwardTarget target) throws IOException, InterruptedException {
        try {
            RelpSession opened = RelpSession.open(target);
            String description = opened.description();
            close(opened);
            return place(target) + ": the session is opened; " + description;
        } catch (IOException e) {
            throw failure(place(target), e);
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
        return RelpSession.open(target);
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
