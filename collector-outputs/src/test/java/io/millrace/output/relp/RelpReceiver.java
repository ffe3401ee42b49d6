package io.millrace.output.relp;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.output.StreamServer;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A server of RELP, which takes the protocol literally. Messages with {@link #REFUSED} get an error. */
final class RelpReceiver extends StreamServer {
    static final String REFUSED = "not this one";
    static final String OFFERS = "200 OK\nrelp_version=0\nrelp_software=test\ncommands=syslog";

    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private volatile String offers = OFFERS;
    /** After so many messages of a connection it says serverclose. */
    private volatile int messagesPerSession = Integer.MAX_VALUE;

    private volatile boolean silent;

    RelpReceiver(ServerSocketFactory factory) {
        super(factory);
    }

    void offers(String next) {
        offers = next;
    }

    void messagesPerSession(int count) {
        messagesPerSession = count;
    }

    /** Takes messages, and answers none from now on. */
    void silent(boolean on) {
        silent = on;
    }

    int sessions() {
        return sessions.get();
    }

    /** Sessions that the client closed in order. */
    int closed() {
        return closed.get();
    }

    private record Frame(int txnr, String command, String data) {}

    @Override
    protected void serve(Socket connection, InputStream in) throws IOException, InterruptedException {
        connection.setTcpNoDelay(true);
        int messages = 0;
        boolean open = false;
        for (int expected = 1; ; expected++) {
            Frame frame = next(in);
            if (frame.txnr() != expected) {
                throw violation("number " + frame.txnr() + " instead of " + expected);
            }
            switch (frame.command()) {
                case "open" -> {
                    open = true;
                    sessions.incrementAndGet();
                    answer(connection, frame, offers);
                }
                case "close" -> {
                    closed.incrementAndGet();
                    answer(connection, frame, "200 OK");
                    return;
                }
                case "syslog" -> {
                    if (!open) {
                        throw violation("not open");
                    }
                    boolean refused = frame.data().contains(REFUSED);
                    if (messages++ == messagesPerSession) {
                        connection.getOutputStream().write("0 serverclose 0\n".getBytes(UTF_8));
                        Thread.sleep(20);
                        return;
                    }
                    if (refused) {
                        pause();
                    } else {
                        take(frame.data());
                    }
                    if (!silent) {
                        answer(connection, frame, refused ? "500 it is not taken\nmore" : "200 OK");
                    }
                }
                default -> throw violation("command " + frame.command());
            }
        }
    }

    private static void answer(Socket connection, Frame to, String data) throws IOException {
        byte[] frame = (to.txnr() + " rsp " + data.length() + " " + data + "\n").getBytes(UTF_8);
        connection.getOutputStream().write(frame);
    }

    private Frame next(InputStream in) throws IOException {
        int txnr = Integer.parseInt(word(in, ' '));
        String command = word(in, ' ');
        StringBuilder digits = new StringBuilder();
        int next = in.read();
        for (; next >= '0' && next <= '9'; next = in.read()) {
            digits.append((char) next);
        }
        int length = Integer.parseInt(digits.toString());
        byte[] data = {};
        if (next == ' ') {
            data = in.readNBytes(length);
            next = in.read();
        }
        if (next < 0) {
            throw new EOFException();
        }
        if (next != '\n' || data.length != length) {
            throw violation("no line feed after " + command);
        }
        return new Frame(txnr, command, new String(data, UTF_8));
    }

    private static String word(InputStream in, char end) throws IOException {
        StringBuilder word = new StringBuilder();
        for (int next = in.read(); next != end; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            word.append((char) next);
        }
        return word.toString();
    }
}
