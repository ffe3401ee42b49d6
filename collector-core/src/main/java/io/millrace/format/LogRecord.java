package io.millrace.format;

import io.millrace.parse.Extension;
import io.millrace.parse.MessageLines;
import io.millrace.parse.SyslogMessage;
import io.millrace.parse.SyslogParser;
import io.millrace.record.DatagramView;
import io.millrace.record.FrameTransport;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a format writes about: the bytes as they came, what is known of where they came from, and the message they are.
 * The message is looked at when somebody asks for it first. It is used again for each record. One thread.
 *
 * <p>A datagram whose lines are messages of their own is one record after the other:
 *
 * <pre>{@code
 * record.wrap(datagram, input, shard, sequence);
 * do {
 *     // the record is about one of them
 * } while (record.nextPart());
 * }</pre>
 */
public final class LogRecord {
    private final Reader others;
    private final Map<String, Reader> byInput;
    private final boolean extensionWritten;
    private Reader current;
    private final MessageLines lines = new MessageLines();
    private final Extension extension = new Extension();
    private final SyslogMessage message = new SyslogMessage();
    private byte[] own = new byte[2048];

    private byte[] bytes = own;
    private boolean parsed;
    private long receiveTimeNs;
    private @Nullable DatagramView datagram;
    private String input = "";
    private byte[] inputBytes = new byte[0];
    private FrameTransport transport = FrameTransport.UDP;
    private byte[] transportBytes = LineBuffer.bytes(FrameTransport.UDP.key());
    private int shard;
    private long sequence;
    private int part;
    private boolean split;

    /** Who understands what comes in at an input, and whether a line is a message there. */
    private record Reader(SyslogParser parser, boolean splitLines) {
        static Reader of(InputRules rules) {
            return new Reader(new SyslogParser(rules.zone()), rules.splitLines());
        }
    }

    /**
     * Makes an empty one.
     *
     * @param parser understands its messages
     */
    public LogRecord(SyslogParser parser) {
        this(new Reader(parser, false), Map.of(), false);
    }

    /**
     * Makes an empty one for inputs that differ, for example in their time zones.
     *
     * @param others for all other inputs
     * @param byInput by the name of an input
     * @param extensionWritten true if JSON has the extension of CEF and LEEF as an object too
     */
    public LogRecord(InputRules others, Map<String, InputRules> byInput, boolean extensionWritten) {
        this(Reader.of(others), readers(byInput), extensionWritten);
    }

    private LogRecord(Reader others, Map<String, Reader> byInput, boolean extensionWritten) {
        this.others = others;
        this.byInput = byInput;
        this.extensionWritten = extensionWritten;
        this.current = others;
    }

    private static Map<String, Reader> readers(Map<String, InputRules> byInput) {
        Map<String, Reader> readers = new HashMap<>();
        byInput.forEach((input, rules) -> readers.put(input, Reader.of(rules)));
        return readers;
    }

    /**
     * Is about a datagram of the journal now, or the first of several messages in it; the view must stay valid as long as
     * that is so.
     *
     * @param input the name of the input that received it
     */
    public LogRecord wrap(DatagramView view, String input, int shard, long sequence) {
        int length = view.payloadLength();
        if (own.length < length) {
            own = new byte[Math.max(length, 2 * own.length)];
        }
        view.copyPayload(own, 0);
        this.datagram = view;
        this.receiveTimeNs = view.receiveTimeNs();
        if (!input.equals(this.input)) {
            this.input = input;
            this.inputBytes = LineBuffer.utf8(input);
            this.current = byInput.getOrDefault(input, others);
        }
        this.shard = shard;
        this.sequence = sequence;
        if (current.splitLines()) {
            lines.wrap(own, 0, length);
        } else {
            lines.whole(own, 0, length);
        }
        set(own);
        return this;
    }

    /** Is about the next message of the same datagram; false, and stays, if there is none. */
    public boolean nextPart() {
        if (!lines.next()) {
            return false;
        }
        part++;
        parsed = false;
        return true;
    }

    /**
     * Is about a message from elsewhere now, such as a line of a file: nothing is known but when it was read.
     *
     * @param memory is not copied
     */
    public LogRecord wrap(byte[] memory, int begin, int end, long readTimeNs) {
        this.datagram = null;
        this.receiveTimeNs = readTimeNs;
        this.input = "";
        this.current = others;
        lines.whole(memory, begin, end);
        set(memory);
        return this;
    }

    private void set(byte[] memory) {
        bytes = memory;
        part = 0;
        split = lines.hasNext();
        parsed = false;
    }

    /** The message, with offsets into {@link #bytes()}. */
    public SyslogMessage message() {
        if (!parsed) {
            current.parser().parse(bytes, lines.begin(), lines.lineEnd(), receiveTimeNs, message);
            parsed = true;
        }
        return message;
    }

    /** The extension of its CEF or LEEF, from the beginning; the same object each time. */
    public Extension extension() {
        extension.wrap(message());
        return extension;
    }

    /** True if JSON has the extension as an object too. */
    boolean isExtensionWritten() {
        return extensionWritten;
    }

    /** True if all of the payload is UTF-8; in what is not, outputs other than {@code raw} have U+FFFD. */
    public boolean isUtf8() {
        int i = begin();
        while (i < end()) {
            int length = bytes[i] >= 0 ? 1 : Utf8.sequence(bytes, i, end());
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

    /** Where the payload, or the message that is part of it, begins. */
    public int begin() {
        return lines.begin();
    }

    /** Where it ends, exclusively. */
    public int end() {
        return lines.end();
    }

    /** When it was received or read, in ns since the epoch. */
    public long receiveTimeNs() {
        return receiveTimeNs;
    }

    /** The datagram in the journal; null if it did not come from one. */
    public @Nullable DatagramView datagram() {
        return datagram;
    }

    /** True if it comes from a process of this host by a Unix socket. */
    public boolean isLocal() {
        return datagram != null && datagram.isLocal();
    }

    /** True if this host is its host: it comes from here, and names no other. */
    boolean isHostLocal() {
        return isLocal() && !message().has(SyslogMessage.Field.HOSTNAME);
    }

    /** True if it came in by UDP. */
    boolean isDatagram() {
        return datagram != null && datagram.transport() == FrameTransport.UDP;
    }

    /** How it came in, in ASCII, not a copy; only with a datagram. */
    byte[] transport() {
        FrameTransport now = datagram == null ? FrameTransport.UDP : datagram.transport();
        if (now != transport) {
            transport = now;
            transportBytes = LineBuffer.bytes(now.key());
        }
        return transportBytes;
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

    /** True if it is one of several messages of a datagram. */
    public boolean isPart() {
        return split;
    }

    /** Which of the messages of its datagram it is, from 0. */
    public int part() {
        return part;
    }

    /** True if what it is about was interrupted at its end: of several messages of a datagram that is the last. */
    public boolean isTruncated() {
        return datagram != null && datagram.isTruncated() && !lines.hasNext();
    }

    /** True if its connection ended before it did: of several messages that is the last. */
    boolean isIncomplete() {
        return datagram != null && datagram.isIncomplete() && !lines.hasNext();
    }
}
