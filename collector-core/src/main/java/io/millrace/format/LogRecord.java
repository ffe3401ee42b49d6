package io.millrace.format;

import io.millrace.parse.SyslogMessage;
import io.millrace.parse.SyslogParser;
import io.millrace.record.DatagramView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a format writes about: the bytes as they came, what is known of where they came from, and the message they are.
 * The message is looked at when somebody asks for it first. It is used again for each record. One thread.
 */
public final class LogRecord {
    private final SyslogParser parser;
    private final Map<String, SyslogParser> byInput;
    private SyslogParser current;
    private final SyslogMessage message = new SyslogMessage();
    private byte[] own = new byte[2048];

    private byte[] bytes = own;
    private int begin;
    private int end;
    private boolean parsed;
    private long receiveTimeNs;
    private @Nullable DatagramView datagram;
    private String input = "";
    private byte[] inputBytes = new byte[0];
    private int shard;
    private long sequence;

    /**
     * Makes an empty one.
     *
     * @param parser understands its messages
     */
    public LogRecord(SyslogParser parser) {
        this(parser, Map.of());
    }

    /**
     * Makes an empty one for inputs that differ, for example in their time zones.
     *
     * @param parser understands the messages of all other inputs
     * @param byInput by the name of an input, who understands its messages
     */
    public LogRecord(SyslogParser parser, Map<String, SyslogParser> byInput) {
        this.parser = parser;
        this.byInput = Map.copyOf(byInput);
        this.current = parser;
    }

    /**
     * Is about a datagram of the journal now; the view must stay valid as long as that is so.
     *
     * @param input the name of the input that received it
     */
    public LogRecord wrap(DatagramView view, String input, int shard, long sequence) {
        int length = view.payloadLength();
        if (own.length < length) {
            own = new byte[Math.max(length, 2 * own.length)];
        }
        view.copyPayload(own, 0);
        set(own, 0, length, view.receiveTimeNs());
        this.datagram = view;
        if (!input.equals(this.input)) {
            this.input = input;
            this.inputBytes = LineBuffer.utf8(input);
            this.current = byInput.getOrDefault(input, parser);
        }
        this.shard = shard;
        this.sequence = sequence;
        return this;
    }

    /**
     * Is about a message from elsewhere now, such as a line of a file: nothing is known but when it was read.
     *
     * @param memory is not copied
     */
    public LogRecord wrap(byte[] memory, int begin, int end, long readTimeNs) {
        set(memory, begin, end, readTimeNs);
        this.datagram = null;
        this.input = "";
        this.current = parser;
        return this;
    }

    private void set(byte[] memory, int from, int to, long timeNs) {
        bytes = memory;
        begin = from;
        end = to;
        receiveTimeNs = timeNs;
        parsed = false;
    }

    /** The message, with offsets into {@link #bytes()}. */
    public SyslogMessage message() {
        if (!parsed) {
            current.parse(bytes, begin, end, receiveTimeNs, message);
            parsed = true;
        }
        return message;
    }

    /** True if all of the payload is UTF-8; in what is not, outputs other than {@code raw} have U+FFFD. */
    public boolean isUtf8() {
        int i = begin;
        while (i < end) {
            int length = bytes[i] >= 0 ? 1 : Utf8.sequence(bytes, i, end);
            if (length < 0) {
                return false;
            }
            i += length;
        }
        return true;
    }

    /** The memory the payload is in; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the payload begins. */
    public int begin() {
        return begin;
    }

    /** Where the payload ends, exclusively. */
    public int end() {
        return end;
    }

    /** When it was received or read, in ns since the epoch. */
    public long receiveTimeNs() {
        return receiveTimeNs;
    }

    /** The datagram in the journal; null if it did not come from one. */
    public @Nullable DatagramView datagram() {
        return datagram;
    }

    /** Name of the input in UTF-8, not a copy; only with a datagram. */
    public byte[] input() {
        return inputBytes;
    }

    /** Shard of the journal; only with a datagram. */
    public int shard() {
        return shard;
    }

    /** Sequence number in the shard; only with a datagram. */
    public long sequence() {
        return sequence;
    }
}
