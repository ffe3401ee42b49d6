package io.millrace.internal.format;

import io.millrace.internal.charset.Utf8;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.gelf.Expander;
import io.millrace.internal.gelf.TooLargeException;
import io.millrace.internal.parse.MessageLines;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.journal.DatagramView;
import io.millrace.journal.FrameTransport;
import io.millrace.message.InputRules;
import io.millrace.message.LineBuffer;
import io.millrace.message.LogRecord;
import io.millrace.message.SyslogMessage;
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
public final class JournalRecord implements LogRecord {
    private final InputReader others;
    private final Map<String, InputReader> byInput;
    private final boolean fieldsWritten;
    private InputReader current;
    private final MessageLines lines = new MessageLines();
    private final ParsedMessage message = new ParsedMessage();
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
     * Creates an empty record for inputs with different rules, such as time zones.
     *
     * @param others the rules of all other inputs
     * @param byInput the rules by the name of the input
     * @param fieldsWritten true if JSON includes the fields of the body as an object
     */
    public JournalRecord(InputRules others, Map<String, InputRules> byInput, boolean fieldsWritten) {
        this(
                InputReader.of(others),
                byInput.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> InputReader.of(e.getValue()))),
                fieldsWritten);
    }

    private JournalRecord(InputReader others, Map<String, InputReader> byInput, boolean fieldsWritten) {
        this.others = others;
        this.byInput = byInput;
        this.fieldsWritten = fieldsWritten;
        this.current = others;
    }

    /** Shares the expanded payloads of a journal with other records, from now on. */
    public JournalRecord sharing(ExpandedPayloads payloads) {
        shared = payloads;
        return this;
    }

    @Override
    public JournalRecord wrap(DatagramView view, String input, int shard, long sequence) {
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

    @Override
    public boolean nextPart() {
        if (!lines.next()) {
            return false;
        }
        part++;
        parsed = false;
        return true;
    }

    @Override
    public JournalRecord wrap(byte[] memory, int begin, int end, long readTimeNs) {
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
    public JournalRecord wrapEdited(
            JournalRecord original, byte[] memory, int begin, int end, @Nullable MessageChanges change) {
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

    @Override
    public boolean wrapExpanded(LogRecord other) {
        JournalRecord original = (JournalRecord) other;
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

    @Override
    public ParsedMessage message() {
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

    @Override
    public boolean isConverted() {
        if (!current.converts()) {
            return false;
        }
        message();
        return converted;
    }

    @Override
    public boolean isUtf8() {
        return Utf8.isValid(bytes, begin(), end());
    }

    @Override
    public byte[] bytes() {
        return bytes;
    }

    @Override
    public int begin() {
        return lines.begin();
    }

    @Override
    public int end() {
        return lines.end();
    }

    @Override
    public long receiveTimeNs() {
        return receiveTimeNs;
    }

    @Override
    public @Nullable DatagramView datagram() {
        return datagram;
    }

    @Override
    public boolean isLocal() {
        return datagram != null && datagram.isLocal();
    }

    @Override
    public boolean isHostLocal() {
        return isLocal()
                && !message().has(SyslogMessage.Field.HOSTNAME)
                && !message().isHostnameRemoved();
    }

    /** True if it came in by UDP. */
    boolean isDatagram() {
        return datagram != null && datagram.transport() == FrameTransport.UDP;
    }

    @Override
    public byte[] transport() {
        FrameTransport now = datagram == null ? FrameTransport.UDP : datagram.transport();
        if (now != transport) {
            transport = now;
            transportBytes = LineBuffer.bytes(now.key());
        }
        return transportBytes;
    }

    @Override
    public byte[] tlsPeer() {
        byte[] peer = datagram == null ? null : datagram.tlsPeer();
        return peer == null ? NO_BYTES : peer;
    }

    @Override
    public byte[] input() {
        return inputBytes;
    }

    @Override
    public int shard() {
        return shard;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public boolean isPart() {
        return split;
    }

    @Override
    public int part() {
        return part;
    }

    @Override
    public boolean isTruncated() {
        return datagram != null && datagram.isTruncated() && !followed && !lines.hasNext();
    }

    @Override
    public boolean isIncomplete() {
        return datagram != null && datagram.isIncomplete() && !followed && !lines.hasNext();
    }
}
