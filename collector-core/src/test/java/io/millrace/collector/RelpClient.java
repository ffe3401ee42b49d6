package io.millrace.collector;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client of RELP, as simple as it can be. */
public final class RelpClient implements AutoCloseable {
    /** A frame of the server. */
    public record Frame(int txnr, String command, String data) {
        public boolean isOk() {
            return command.equals("rsp") && data.equals("200 OK");
        }
    }

    static final String OFFERS = "relp_version=0\nrelp_software=test\ncommands=syslog";

    final Socket socket;
    private final InputStream in;
    private int txnr;

    /** Takes a connected socket. */
    RelpClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream());
    }

    /** Connects, and opens a session. */
    public static RelpClient open(InetSocketAddress address) throws IOException {
        RelpClient client = new RelpClient(new Socket(address.getAddress(), address.getPort()));
        client.open();
        return client;
    }

    void open() throws IOException {
        send("open", OFFERS);
        Frame answer = read();
        if (answer.txnr() != txnr || !answer.data().startsWith("200 OK\nrelp_version=0\n")) {
            throw new IOException("not opened: " + answer);
        }
    }

    /** Sends a command; returns its number. */
    int send(String command, String data) throws IOException {
        txnr++;
        raw(frame(txnr, command, data));
        return txnr;
    }

    public int message(String text) throws IOException {
        return send("syslog", text);
    }

    void raw(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    }

    static String frame(int txnr, String command, String data) {
        return txnr + " " + command + " " + data.length() + (data.isEmpty() ? "" : " " + data) + "\n";
    }

    /** The next frame of the server. */
    public Frame read() throws IOException {
        int number = Integer.parseInt(word(' '));
        String command = word(' ');
        StringBuilder digits = new StringBuilder();
        int next = next();
        for (; next >= '0' && next <= '9'; next = next()) {
            digits.append((char) next);
        }
        int length = Integer.parseInt(digits.toString());
        String data = "";
        if (next == ' ') {
            byte[] bytes = in.readNBytes(length);
            data = new String(bytes, ISO_8859_1);
            next = next();
        }
        if (next != '\n' || data.length() != length) {
            throw new IOException("not a frame: " + number + " " + command + " " + length + " " + data);
        }
        return new Frame(number, command, data);
    }

    private String word(char end) throws IOException {
        StringBuilder word = new StringBuilder();
        for (int next = next(); next != end; next = next()) {
            word.append((char) next);
        }
        return word.toString();
    }

    private int next() throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException();
        }
        return next;
    }

    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
