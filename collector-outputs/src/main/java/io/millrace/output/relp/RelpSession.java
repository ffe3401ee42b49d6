package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.millrace.internal.transport.relp.RelpHeader;
import io.millrace.message.LineBuffer;
import io.millrace.output.internal.forward.ForwardTarget;
import io.millrace.output.internal.forward.ForwardingSink;
import io.millrace.output.internal.forward.SyslogConnection;
import io.millrace.sink.Refusal;
import io.millrace.sink.SinkBatch;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

final class RelpSession implements ForwardingSink.Connection {
    /** Messages without an answer at a time, as in librelp. */
    static final int WINDOW = 128;

    private static final int MAX_TXNR = 999_999_999;
    private static final int MAX_DIGITS = 10;
    private static final int OK = 200;
    private static final int WRITE_BYTES = 64 << 10;
    private static final long FINISH_NS = TimeUnit.SECONDS.toNanos(1);
    /** librelp calls the version of today's protocol 0. */
    private static final String OFFERS = "relp_version=0\nrelp_software=millrace\ncommands=syslog";

    private static final RelpHeader.Command RESPONSE = RelpHeader.Command.of("rsp");
    private static final RelpHeader.Command SERVER_CLOSE = RelpHeader.Command.of("serverclose");
    private static final byte[] SYSLOG = " syslog ".getBytes(US_ASCII);
    private static final byte[] SPACE = {' '};
    private static final byte[] LINE_FEED = {'\n'};

    private final SyslogConnection connection;
    private final long timeoutNs;
    private final RelpFrames frames = new RelpFrames();
    private final LineBuffer out = new LineBuffer();
    private final byte[] digits = new byte[MAX_DIGITS];
    private int txnr;
    /** The records of the current batch that were sent, in their order. */
    private int[] sent = new int[WINDOW];

    private int sentCount;
    private int answered;
    /** The number of the first of them. */
    private int firstTxnr;

    private RelpSession(SyslogConnection connection, long timeoutNs) {
        this.connection = connection;
        this.timeoutNs = timeoutNs;
    }

    /** Connects, and opens a session. */
    static RelpSession open(ForwardTarget target) throws IOException, InterruptedException {
        SyslogConnection connection = SyslogConnection.open(target);
        boolean open = false;
        try {
            RelpSession session =
                    new RelpSession(connection, target.ackTimeout().toNanos());
            session.open(System.nanoTime() + target.connectTimeout().toNanos());
            open = true;
            return session;
        } finally {
            if (!open) {
                connection.close();
            }
        }
    }

    private void open(long endNs) throws IOException, InterruptedException {
        command("open " + OFFERS.length() + " " + OFFERS);
        awaitFrame(endNs, "it has not answered the command open in time");
        if (!frames.is(RESPONSE) || frames.txnr() != txnr || frames.code() != OK) {
            throw new IOException("it does not open a session: " + frames.reason());
        }
        String offers = frames.data();
        if (!offers.contains("\nrelp_version=")) {
            throw new IOException("it offers no version of RELP");
        }
        boolean takesSyslog = offers.lines()
                .filter(line -> line.startsWith("commands="))
                .anyMatch(line -> Arrays.asList(
                                line.substring("commands=".length()).split(",", -1))
                        .contains("syslog"));
        if (!takesSyslog) {
            throw new IOException("it does not offer the command syslog");
        }
    }

    private void command(String command) throws IOException, InterruptedException {
        txnr++;
        byte[] frame = (txnr + " " + command + "\n").getBytes(US_ASCII);
        connection.send(frame, 0, frame.length);
    }

    private void awaitFrame(long endNs, String failure) throws IOException, InterruptedException {
        while (!frames.next()) {
            if (frames.fill(connection::read) == 0 && !connection.awaitReadable(endNs)) {
                throw new IOException(failure);
            }
        }
    }

    /** True if the numbers of commands suffice for so many more. */
    boolean hasNumbersFor(int commands) {
        return txnr <= MAX_TXNR - commands - 1;
    }

    @Override
    public void check() throws IOException, InterruptedException {
        while (frames.fill(connection::read) > 0) {
            while (frames.next()) {
                takeHint();
            }
        }
    }

    private void takeHint() throws IOException {
        if (frames.txnr() != RelpFrames.HINT) {
            throw new IOException("it has answered a command that was not sent");
        }
        if (frames.is(SERVER_CLOSE)) {
            throw new IOException("it has closed the session");
        }
    }

    /**
     * Sends the open records of a batch, and takes the answer to each.
     *
     * @throws IOException if the session is of no use any more; records without an answer are still open
     */
    void send(SinkBatch batch) throws IOException, InterruptedException {
        sent = sent.length < batch.size() ? new int[batch.size()] : sent;
        sentCount = 0;
        answered = 0;
        firstTxnr = txnr + 1;
        out.clear();
        for (int i = 0; i < batch.size(); i++) {
            if (batch.isOpen(i)) {
                if (sentCount - answered == WINDOW) {
                    flush();
                    awaitAnswers(batch, WINDOW / 2);
                }
                append(batch, i);
            }
        }
        flush();
        awaitAnswers(batch, 0);
    }

    private void append(SinkBatch batch, int index) throws IOException, InterruptedException {
        int length = batch.end(index) - batch.begin(index);
        sent[sentCount++] = index;
        txnr++;
        number(txnr);
        out.append(SYSLOG, 0, SYSLOG.length);
        number(length);
        out.append(SPACE, 0, 1).append(batch.array(), batch.begin(index), batch.end(index));
        out.append(LINE_FEED, 0, 1);
        if (out.length() >= WRITE_BYTES) {
            flush();
        }
    }

    private void number(int value) {
        int at = MAX_DIGITS;
        int left = value;
        do {
            digits[--at] = (byte) ('0' + left % 10);
            left /= 10;
        } while (left > 0);
        out.append(digits, at, MAX_DIGITS);
    }

    private void flush() throws IOException, InterruptedException {
        if (out.length() > 0) {
            connection.send(out.array(), 0, out.length());
            out.clear();
        }
    }

    /** Takes answers until no more than so many are missing. */
    private void awaitAnswers(SinkBatch batch, int missing) throws IOException, InterruptedException {
        while (sentCount - answered > missing) {
            awaitFrame(
                    System.nanoTime() + timeoutNs,
                    "it has answered nothing for " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            int number = frames.txnr() - firstTxnr;
            if (frames.txnr() == RelpFrames.HINT) {
                takeHint();
            } else if (number < 0 || number >= sentCount || !batch.isOpen(sent[number]) || !frames.is(RESPONSE)) {
                throw new IOException("it has answered a message that was not sent");
            } else {
                takeAnswer(batch, sent[number]);
            }
        }
    }

    private void takeAnswer(SinkBatch batch, int index) {
        if (frames.code() == OK) {
            batch.accept(index);
        } else {
            batch.refuse(index, Refusal.REJECTED, "the server answered: " + frames.reason());
        }
        answered++;
    }

    @Override
    public InetAddress server() {
        return connection.server();
    }

    /** What is known of the server, for people. */
    String description() {
        return connection.description();
    }

    @Override
    public void finish() throws IOException, InterruptedException {
        try {
            command("close 0");
            int number = txnr;
            long endNs = System.nanoTime() + FINISH_NS;
            do {
                awaitFrame(endNs, "it has not answered the command close in time");
            } while (frames.txnr() != number);
            connection.finish();
        } finally {
            connection.close();
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
