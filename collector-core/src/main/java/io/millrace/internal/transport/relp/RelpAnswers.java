package io.millrace.internal.transport.relp;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * The answers that a client waits for, in the order of its commands. The answer to a message is due when the batch of the message is
 * safe. An answer waits for all earlier ones.
 *
 * <p>At most {@link #MAX_PENDING} answers are pending, so the memory is bounded: 12 bytes each, in arrays that grow and are used again.
 * librelp has at most 128 commands without an answer. One thread.
 */
public final class RelpAnswers {
    /** The most answers that a client can wait for; its next command is not read before one of them is written. */
    public static final int MAX_PENDING = 1024;

    /** The most answers of one {@link #write}. */
    private static final int MAX_AT_ONCE = 256;

    /** The bytes of the longest answer but that to {@code open}. */
    private static final int MAX_BYTES = 64;

    private static final int FIRST_CAPACITY = 16;
    private static final int KIND_SHIFT = 30;
    private static final int TXNR_MASK = (1 << KIND_SHIFT) - 1;
    private static final int MAX_DIGITS = 9;

    private static final int MESSAGE = 0;
    private static final int OPEN = 1;
    private static final int CLOSE = 2;
    private static final int UNKNOWN = 3;
    private static final long AT_ONCE = -1;

    private static final byte[] OK = " rsp 6 200 OK\n".getBytes(US_ASCII);
    private static final byte[] NO_COMMAND = " rsp 23 500 unsupported command\n".getBytes(US_ASCII);
    private static final byte[] SERVER_CLOSE = "0 serverclose 0\n".getBytes(US_ASCII);

    /** The kind in the two highest bits, and the number of the command. */
    private int[] commands = {};

    private long[] batches = {};
    private int head;
    private int size;
    private int version;
    private boolean opened;
    private boolean ended;
    private final byte[] number = new byte[MAX_DIGITS];

    void message(int txnr, long batch) {
        add(MESSAGE, txnr, batch);
    }

    /** A message without content, which is in no batch. */
    void emptyMessage(int txnr) {
        add(MESSAGE, txnr, AT_ONCE);
    }

    /** The command {@code open} of a client that speaks this version. */
    void open(int txnr, int ofVersion) {
        version = ofVersion;
        add(OPEN, txnr, AT_ONCE);
    }

    void close(int txnr) {
        add(CLOSE, txnr, AT_ONCE);
    }

    /** A command that this server does not know. */
    void unknown(int txnr) {
        add(UNKNOWN, txnr, AT_ONCE);
    }

    private void add(int kind, int txnr, long batch) {
        if (size == commands.length) {
            grow();
        }
        int at = (head + size) & (commands.length - 1);
        commands[at] = kind << KIND_SHIFT | txnr;
        batches[at] = batch;
        size++;
    }

    private void grow() {
        int capacity = Math.max(FIRST_CAPACITY, 2 * size);
        int[] moreCommands = Arrays.copyOf(commands, capacity);
        long[] moreBatches = Arrays.copyOf(batches, capacity);
        for (int i = 0; i < size; i++) {
            int from = (head + i) & (size - 1);
            moreCommands[i] = commands[from];
            moreBatches[i] = batches[from];
        }
        commands = moreCommands;
        batches = moreBatches;
        head = 0;
    }

    /** True if a further command must wait. */
    public boolean isFull() {
        return size == MAX_PENDING;
    }

    /** True if the client waits for nothing. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** True if an answer can be written, when so many batches are safe. After the end of the session none can. */
    public boolean isDue(long safeBatches) {
        return size > 0 && !ended && batches[head] < safeBatches;
    }

    /** An upper bound for the bytes of {@link #write}. */
    public int maxBytes() {
        return (Math.min(size, MAX_AT_ONCE) + 2) * MAX_BYTES;
    }

    /** The memory that they take. */
    public int memoryBytes() {
        return commands.length * (Integer.BYTES + Long.BYTES);
    }

    /** True if something that ends the session is written: the connection can be closed. */
    public boolean isEnded() {
        return ended;
    }

    /** True if the answer to {@code open} is written, and nothing yet that ends the session. */
    public boolean isOpen() {
        return opened && !ended;
    }

    /**
     * Writes answers that are due, when so many batches are safe: as many as {@link #maxBytes} has room for.
     *
     * @return how many messages they acknowledge
     */
    public int write(long safeBatches, ByteBuf out) {
        int messages = 0;
        for (int i = 0; i < MAX_AT_ONCE && isDue(safeBatches); i++) {
            int kind = commands[head] >>> KIND_SHIFT;
            writeNumber(commands[head] & TXNR_MASK, out);
            head = (head + 1) & (commands.length - 1);
            size--;
            switch (kind) {
                case MESSAGE -> {
                    out.writeBytes(OK);
                    messages++;
                }
                case OPEN -> {
                    out.writeBytes(offers());
                    opened = true;
                }
                case CLOSE -> {
                    out.writeBytes(OK);
                    writeServerClose(out);
                }
                default -> out.writeBytes(NO_COMMAND);
            }
        }
        return messages;
    }

    private byte[] offers() {
        String data = "200 OK\nrelp_version=" + version + "\nrelp_software=millrace\ncommands=syslog";
        return (" rsp " + data.length() + " " + data + "\n").getBytes(US_ASCII);
    }

    /** Writes the hint that the server closes the connection, which ends the session. */
    public void writeServerClose(ByteBuf out) {
        out.writeBytes(SERVER_CLOSE);
        ended = true;
    }

    private void writeNumber(int value, ByteBuf out) {
        int at = MAX_DIGITS;
        int left = value;
        do {
            number[--at] = (byte) ('0' + left % 10);
            left /= 10;
        } while (left > 0);
        out.writeBytes(number, at, MAX_DIGITS - at);
    }
}
