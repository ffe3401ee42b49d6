package io.millrace.internal.format;

import io.millrace.internal.charset.Utf8;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.gelf.Expander;
import io.millrace.internal.gelf.TooLargeException;
import io.millrace.internal.parse.MessageLines;
import io.millrace.internal.parse.SyslogMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.internal.record.DatagramView;
import io.millrace.internal.record.FrameTransport;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The record that a format writes: its bytes, its origin, and the message, which is parsed on first request. Reused for
 * each record. One thread.
 *
 * <p>A datagram that is split at its lines is several records:
 *
 * <pre>{@code
 * record.wrap(datagram, input, shard, sequence);
 * do {
 *     // the record is about one of them
 * } while (record.nextPart());
 * }</pre>
 */
public final class LogRecord {
    private final InputReader others;
    private final Map<String, InputReader> byInput;
    private final boolean fieldsWritten;
    private InputReader current;
    private final MessageLines lines = new MessageLines();
    private final SyslogMessage message = new SyslogMessage();
    private static final byte[] NO_BYTES = {};
    private byte[] own = new byte[2048];
    private byte[] bytes = own;
    private boolean parsed;
    private @Nullable ExpandedPayloads shared;
    /** Of the message that was parsed; null if it is not compressed. */
    private Expander.@Nullable Payload payload;

    private boolean expandedOnly;
    private @Nullable MessageChanges changes;
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
    /** True if the datagram has further messages, and this record, with edited bytes, has only one. */
    private boolean followed;
    /** True for edited bytes: they are not expanded or converted, whatever they look like. */
    private boolean plain;
    /** True if the message is converted to UTF-8. */
    private boolean converted;

    /**
     * Creates an empty record.
     *
     * @param parser parses the messages
     */
    public LogRecord(SyslogParser parser) {
        this(new InputReader(parser, false, Expander.DEFAULT_BYTES, null), Map.of(), false);
    }

    /**
     * Creates an empty record for inputs with different rules, such as time zones.
     *
     * @param others the rules of all other inputs
     * @param byInput the rules by the name of the input
     * @param fieldsWritten true if JSON includes the fields of the body as an object
     */
    public LogRecord(InputRules others, Map<String, InputRules> byInput, boolean fieldsWritten) {
        this(
                InputReader.of(others),
                byInput.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> InputReader.of(e.getValue()))),
                fieldsWritten);
    }

    private LogRecord(InputReader others, Map<String, InputReader> byInput, boolean fieldsWritten) {
        this.others = others;
        this.byInput = byInput;
        this.fieldsWritten = fieldsWritten;
        this.current = others;
    }

    /** Shares the expanded payloads of a journal with other records, from now on. */
    public LogRecord sharing(ExpandedPayloads payloads) {
        shared = payloads;
        return this;
    }

    /**
     * Sets the record to a datagram of the journal, or to the first message in it. The view must stay valid while the
     * record is used.
     *
     * @param input the name of its input
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
        if (current.splitsLines() && !Expander.isCompressed(own, 0, length)) {
            lines.wrap(own, 0, length);
        } else {
            lines.whole(own, 0, length);
        }
        set(own);
        return this;
    }

    /** Moves to the next message of the same datagram; returns false, without moving, if there is none. */
    public boolean nextPart() {
        if (!lines.next()) {
            return false;
        }
        part++;
        parsed = false;
        return true;
    }

    /**
     * Sets the record to a message from another source, such as a line of a file. Only its time is known.
     *
     * @param memory the array of its bytes, which is not copied
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

    /**
     * Sets the record to another one's message with other bytes. Its origin and its place in the journal are those of the other one.
     *
     * @param memory the array of its bytes, which is not copied
     * @param change changes the message after it was parsed; null for no changes
     */
    public LogRecord wrapEdited(
            LogRecord original, byte[] memory, int begin, int end, @Nullable MessageChanges change) {
        this.datagram = original.datagram;
        this.receiveTimeNs = original.receiveTimeNs;
        this.input = original.input;
        this.inputBytes = original.inputBytes;
        this.current = original.current;
        this.shard = original.shard;
        this.sequence = original.sequence;
        lines.whole(memory, begin, end);
        set(memory);
        part = original.part;
        split = original.split;
        followed = original.followed || original.lines.hasNext();
        plain = true;
        changes = change;
        return this;
    }

    /**
     * Sets the record to another one's message with expanded bytes if that is compressed, and with converted ones if its text is
     * not UTF-8.
     *
     * @return false, without a change, if it is neither
     * @throws IllegalArgumentException if it is compressed and cannot be expanded
     */
    public boolean wrapExpanded(LogRecord original) {
        Expander.Payload expanded = original.payload();
        if (expanded == null) {
            if (original.isConverted()) {
                wrapEdited(original, original.current.convertedBytes(), 0, original.current.convertedLength(), null);
            }
            return original.isConverted();
        }
        if (expanded.result() == Expander.Result.TOO_LARGE) {
            throw original.tooLarge();
        }
        if (expanded.result() != Expander.Result.EXPANDED) {
            throw new IllegalArgumentException("it is compressed and cannot be expanded: "
                    + expanded.result().key());
        }
        wrapEdited(original, expanded.bytes(), 0, expanded.bytes().length, null);
        return true;
    }

    /**
     * From now on, a compressed payload that expands to more than its limit has no message: {@link #message()} throws a {@link
     * TooLargeException}. Otherwise the message is the compressed payload.
     */
    public void takeExpandedOnly() {
        expandedOnly = true;
        if (payload != null && payload.result() == Expander.Result.TOO_LARGE) {
            parsed = false;
        }
    }

    private void set(byte[] memory) {
        bytes = memory;
        part = 0;
        split = lines.hasNext();
        followed = false;
        plain = false;
        changes = null;
        parsed = false;
        payload = null;
        expandedOnly = false;
    }

    /** The message, whose offsets are into {@link SyslogMessage#bytes()}: a compressed payload is expanded. */
    public SyslogMessage message() {
        if (!parsed) {
            parse();
            parsed = true;
        }
        return message;
    }

    private void parse() {
        int begin = lines.begin();
        int end = lines.lineEnd();
        payload = isCompressed() ? expand(begin, end) : null;
        if (payload != null && payload.result() == Expander.Result.EXPANDED) {
            byte[] expanded = payload.bytes();
            converted = current.parse(expanded, 0, expanded.length, true, receiveTimeNs, message);
            return;
        }
        if (expandedOnly && payload != null && payload.result() == Expander.Result.TOO_LARGE) {
            throw tooLarge();
        }
        converted = current.parse(bytes, begin, end, plain, receiveTimeNs, message);
        if (changes != null) {
            changes.apply(message);
        }
    }

    /** Lines are not expanded: a datagram of many would become as many payloads. */
    private boolean isCompressed() {
        return !plain && !split && Expander.isCompressed(bytes, lines.begin(), lines.lineEnd());
    }

    private Expander.@Nullable Payload expand(int begin, int end) {
        Expander.Payload found = shared == null || datagram == null
                ? current.expand(bytes, begin, end)
                : shared.of(shard, sequence, current.maxExpanded(end - begin), () -> current.expand(bytes, begin, end));
        return found.result() == Expander.Result.PLAIN ? null : found;
    }

    /** What became of a compressed payload; null if it is not compressed. */
    private Expander.@Nullable Payload payload() {
        if (isCompressed()) {
            message();
        }
        return payload;
    }

    private TooLargeException tooLarge() {
        return current.tooLarge(lines.lineEnd() - lines.begin());
    }

    /** Why a compressed payload is not expanded; null if it is, or is not compressed. */
    @Nullable
    String unexpanded() {
        Expander.Payload found = payload();
        return found == null || found.result() == Expander.Result.EXPANDED
                ? null
                : found.result().key();
    }

    /** True if JSON includes the fields of the body as an object. */
    boolean areFieldsWritten() {
        return fieldsWritten;
    }

    /** True if the message is the received text in UTF-8, and {@link #bytes()} has it in another charset. */
    public boolean isConverted() {
        if (!current.converts()) {
            return false;
        }
        message();
        return converted;
    }

    /** True if the payload is valid UTF-8. Otherwise outputs other than {@code raw} write U+FFFD, or convert it. */
    public boolean isUtf8() {
        return Utf8.isValid(bytes, begin(), end());
    }

    /** The array of the payload; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** The beginning of the payload, or of the message within it. */
    public int begin() {
        return lines.begin();
    }

    /** The end of the payload or message, exclusive. */
    public int end() {
        return lines.end();
    }

    /** The receive time, or the time of reading, in ns since the epoch. */
    public long receiveTimeNs() {
        return receiveTimeNs;
    }

    /** The datagram in the journal; null if it has another source. */
    public @Nullable DatagramView datagram() {
        return datagram;
    }

    /** True if it comes from a process of this host by a Unix socket. */
    public boolean isLocal() {
        return datagram != null && datagram.isLocal();
    }

    /** True if this host is its host: it comes from here, and names no other. */
    boolean isHostLocal() {
        return isLocal()
                && !message().has(SyslogMessage.Field.HOSTNAME)
                && !message().isHostnameRemoved();
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

    /** The name of the peer in its certificate, in UTF-8; empty without one. */
    byte[] tlsPeer() {
        byte[] peer = datagram == null ? null : datagram.tlsPeer();
        return peer == null ? NO_BYTES : peer;
    }

    /** The name of the input in UTF-8; not a copy. Only with a datagram. */
    public byte[] input() {
        return inputBytes;
    }

    /** The shard; only with a datagram. */
    public int shard() {
        return shard;
    }

    /** The sequence in the shard; only with a datagram. */
    public long sequence() {
        return sequence;
    }

    /** True if it is one of several messages of a datagram. */
    public boolean isPart() {
        return split;
    }

    /** The index of the message in its datagram, from 0. */
    public int part() {
        return part;
    }

    /** True if the message was truncated. In a datagram of several messages, that is the last one. */
    public boolean isTruncated() {
        return datagram != null && datagram.isTruncated() && !followed && !lines.hasNext();
    }

    /** True if its connection ended before it did: of several messages that is the last. */
    boolean isIncomplete() {
        return datagram != null && datagram.isIncomplete() && !followed && !lines.hasNext();
    }
}
