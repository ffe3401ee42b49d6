package io.millrace.bench.powercut;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Sender over RELP with a window of 128 messages, as librelp has. A second thread reads the answers, which are in order. */
final class RelpSource extends Source {
    private static final int WINDOW = 128;
    private static final int FRAME_BYTES = MessageFormat.BYTES + 32;
    private static final String OFFER = "relp_version=0\nrelp_software=millrace bench\ncommands=syslog";
    /** The transaction of the first message; the opening command has 1. */
    private static final int FIRST_TRANSACTION = 2;

    private final Socket socket;
    private final OutputStream out;
    private final RelpAnswers answers;
    private final MessageFormat format;
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_BATCH * FRAME_BYTES);
    private volatile int answered;

    RelpSource(int number, long rate, long limit, long beginMicros, MessageFormat format, int port) throws IOException {
        super(number, rate, limit, beginMicros);
        this.format = format;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        this.out = socket.getOutputStream();
        this.answers = new RelpAnswers(socket.getInputStream());
        out.write(("1 open " + OFFER.length() + " " + OFFER + "\n").getBytes(StandardCharsets.US_ASCII));
        if (answers.read() != 1) {
            throw new IOException("the service did not answer the opening command of RELP");
        }
        Thread reader = new Thread(this::readAnswers, "answers-" + number);
        reader.setDaemon(true);
        reader.start();
    }

    /** The number of messages with an answer, which are the first ones. */
    int answered() {
        return answered;
    }

    @Override
    int window() {
        return WINDOW - (sent() - answered);
    }

    @Override
    void send(int first, int count) throws IOException {
        buffer.clear();
        for (int i = first; i < first + count; i++) {
            buffer.put((i + FIRST_TRANSACTION + " syslog " + MessageFormat.BYTES + " ")
                    .getBytes(StandardCharsets.US_ASCII));
            format.put(buffer, number(), i);
            buffer.put((byte) '\n');
        }
        out.write(buffer.array(), 0, buffer.position());
    }

    private void readAnswers() {
        try {
            for (int expected = FIRST_TRANSACTION; ; expected++) {
                int transaction = answers.read();
                if (transaction != expected) {
                    throw new IOException("transaction " + transaction + " is answered before " + expected);
                }
                answered = expected - FIRST_TRANSACTION + 1;
                if (!answers.hasMore()) {
                    wake();
                }
            }
        } catch (IOException e) {
            if (!isEnding()) {
                fail("the RELP connection failed: " + e.getMessage());
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
    }
}
