package io.millrace.bench.powercut;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
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
    private final InputStream in;
    private final MessageFormat format;
    private final ByteBuffer buffer = ByteBuffer.allocate(MAX_BATCH * FRAME_BYTES);
    private volatile int answered;

    RelpSource(int number, long rate, long limit, long beginMicros, MessageFormat format, int port) throws IOException {
        super(number, rate, limit, beginMicros);
        this.format = format;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        this.out = socket.getOutputStream();
        this.in = new BufferedInputStream(socket.getInputStream());
        out.write(("1 open " + OFFER.length() + " " + OFFER + "\n").getBytes(StandardCharsets.US_ASCII));
        if (readAnswer() != 1) {
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
                int transaction = readAnswer();
                if (transaction != expected) {
                    throw new IOException("transaction " + transaction + " is answered before " + expected);
                }
                answered = expected - FIRST_TRANSACTION + 1;
            }
        } catch (IOException e) {
            if (!isEnding()) {
                fail("the RELP connection failed: " + e.getMessage());
            }
        }
    }

    /** Reads one answer with the code 200 and returns its transaction. */
    private int readAnswer() throws IOException {
        int transaction = Integer.parseInt(word());
        String command = word();
        int length = Integer.parseInt(word());
        String data = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
        if (in.read() != '\n' || !command.equals("rsp") || !data.startsWith("200")) {
            throw new IOException("unexpected: " + transaction + " " + command + " " + data);
        }
        return transaction;
    }

    private String word() throws IOException {
        StringBuilder word = new StringBuilder();
        for (int c = in.read(); c != ' '; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the service closed it");
            }
            word.append((char) c);
        }
        return word.toString();
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
