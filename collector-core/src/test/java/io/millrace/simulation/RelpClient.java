package io.millrace.simulation;

import io.millrace.internal.transport.framing.FrameSink;
import io.millrace.internal.transport.framing.FramingCounts;
import io.millrace.internal.transport.framing.RemainderPool;
import io.millrace.internal.transport.relp.RelpAnswers;
import io.millrace.internal.transport.relp.RelpDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * A client of RELP and its connection: it keeps each message until it is answered, and sends it again after a new connection. The
 * server's side of the connection is the real decoder with the real answers.
 */
final class RelpClient {
    static final int MAX_MESSAGE = 600;
    private static final int WINDOW = 128;
    private static final int BUFFER_BYTES = 4096;
    private static final int PAYLOAD_BYTES = 200;

    private final SplittableRandom random;
    /** The numbers of all messages that were answered. */
    final Set<Integer> answered = new HashSet<>();
    /** Messages without an answer, in their order. */
    private final Map<Integer, byte[]> waiting = new TreeMap<>();

    // The connection.
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(BUFFER_BYTES + 8).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Deque<Integer> inOrder = new ArrayDeque<>();
    private byte[] unread = {};
    private int unreadFrom;
    private RemainderPool pool = new RemainderPool();
    private RelpAnswers answers = new RelpAnswers();
    private RelpDecoder decoder;

    RelpClient(SplittableRandom random) {
        this.random = random;
        this.decoder = new RelpDecoder(MAX_MESSAGE, pool, new FramingCounts(), answers, () -> 0);
    }

    /** Connects to a new process, and sends again what was not answered. */
    void connect(LongSupplier currentBatch) {
        pool = new RemainderPool();
        answers = new RelpAnswers();
        decoder = new RelpDecoder(MAX_MESSAGE, pool, new FramingCounts(), answers, currentBatch);
        out.reset();
        inOrder.clear();
        unread = new byte[0];
        unreadFrom = 0;
        frame("open", "relp_version=0\ncommands=syslog".getBytes(StandardCharsets.US_ASCII), -1);
        List<Integer> again = new ArrayList<>(waiting.keySet());
        for (int number : again) {
            frame("syslog", waiting.get(number), number);
        }
    }

    private int txnr;

    private void frame(String command, byte[] data, int number) {
        txnr = inOrder.isEmpty() && command.equals("open") ? 1 : txnr + 1;
        byte[] head = (txnr + " " + command + " " + data.length + " ").getBytes(StandardCharsets.US_ASCII);
        out.write(head, 0, head.length);
        out.write(data, 0, data.length);
        out.write('\n');
        inOrder.add(number);
    }

    boolean canSend() {
        return inOrder.size() < WINDOW;
    }

    /** Sends a new message. */
    void send(int number) {
        byte[] data = Payloads.of(number, random, PAYLOAD_BYTES);
        waiting.put(number, data);
        frame("syslog", data, number);
    }

    /** The server reads a piece of what was sent, which may end within a frame. */
    void read(FrameSink sink) {
        if (unreadFrom == unread.length) {
            unread = out.toByteArray();
            unreadFrom = 0;
            out.reset();
        }
        int length = Math.min(1 + random.nextInt(BUFFER_BYTES), unread.length - unreadFrom);
        if (length == 0) {
            return;
        }
        memory.put(0, unread, unreadFrom, length);
        unreadFrom += decoder.take(memory, 0, length, sink);
        if (decoder.isBroken()) {
            throw new Violation("the decoder does not understand a client");
        }
        if (decoder.memoryBytes() > 8 * BUFFER_BYTES || answers.memoryBytes() > 12 * RelpAnswers.MAX_PENDING) {
            throw new Violation(
                    "a connection accepts " + decoder.memoryBytes() + " + " + answers.memoryBytes() + " bytes");
        }
    }

    boolean awaitsAnswers() {
        return !answers.isEmpty();
    }

    /** The server answers what is safe, and the client reads the answers. */
    void answer(long safeBatches) {
        if (!answers.isDue(safeBatches)) {
            return;
        }
        ByteBuf written = Unpooled.buffer(answers.maxBytes());
        answers.write(safeBatches, written);
        String text = written.toString(StandardCharsets.US_ASCII);
        written.release();
        int at = 0;
        while (at < text.length()) {
            String[] words =
                    text.substring(at, Math.min(text.length(), at + 40)).split(" ", 4);
            int length = Integer.parseInt(words[2]);
            int data = at + words[0].length() + words[1].length() + words[2].length() + 3;
            int number = inOrder.remove();
            if (!text.startsWith("200 OK", data)) {
                throw new Violation("a client got " + text.substring(data));
            }
            if (number >= 0) {
                answered.add(number);
                waiting.remove(number);
            }
            at = data + length + 1;
        }
    }
}
