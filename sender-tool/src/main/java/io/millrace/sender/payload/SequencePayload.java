package io.millrace.sender.payload;

import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * The identity in generated payloads: it tells which datagram a payload is, whether it was seen before, and its intended
 * send time. It is at the start of the payload, or in a syslog message at the start of the text after the header. This
 * page is the specification of the format.
 *
 * <pre>
 * RRRRRRRR SSSSS QQQQQQQQ TTTTTTTT padding
 * 0        9     15       24       33          (byte offsets)
 * </pre>
 *
 * <table>
 * <caption>Fields</caption>
 * <tr><th>field</th><th>digits</th><th>meaning</th></tr>
 * <tr><td>R</td><td>8</td><td>run id, unsigned 32 bits: tells one run of the sender from another</td></tr>
 * <tr><td>S</td><td>5</td><td>source number, unsigned 20 bits, from 0: each source has its own local
 *     address and port</td></tr>
 * <tr><td>Q</td><td>8</td><td>sequence number, unsigned 32 bits, from 0 and without gaps within a source</td></tr>
 * <tr><td>T</td><td>8</td><td>intended send time: microseconds since the epoch, modulo 2^32 (it wraps every
 *     71.6 minutes): the due time of the schedule, not the actual send time</td></tr>
 * </table>
 *
 * <p>Everything is ASCII. The fields are hexadecimal with lower-case digits and leading zeros, one space (0x20) between
 * them, {@value #LENGTH} bytes in all. A payload of exactly {@value #LENGTH} bytes ends there. In a longer one the byte
 * at offset 32 is a space, and the byte at each offset {@code i} from 33 on is the letter {@code 'a' + (i - 33) % 26}.
 *
 * <p>Encoding is static and allocates nothing. Decoding fills the fields of the object it is called on and allocates
 * nothing either; an object is for one thread at a time.
 */
public final class SequencePayload {
    /** The length of the identity in bytes, which is the shortest payload. */
    public static final int LENGTH = 32;

    /** The highest source number that fits the format. */
    public static final int MAX_SOURCE = (1 << 20) - 1;

    private static final int SOURCE_AT = 9;
    private static final int SEQUENCE_AT = 15;
    private static final int TIME_AT = 24;
    private static final int PADDING_AT = LENGTH + 1;
    private static final int LETTERS = 26;
    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };
    private static final int NOT_HEX = -1;

    private final byte[] scratch = new byte[LENGTH + 1];
    private long runId;
    private int source;
    private long sequence;
    private long intendedTimeMicros;

    /** Makes an empty decoder. Its getters are valid after {@code decode} has returned true. */
    public SequencePayload() {}

    /**
     * Writes the {@value #LENGTH} bytes of an identity. The run id, the sequence number and the time are taken as
     * unsigned 32-bit values; of the source, the low 20 bits.
     */
    public static void encode(byte[] target, int offset, int runId, int source, int sequence, int intendedTimeMicros) {
        Objects.checkFromIndexSize(offset, LENGTH, target.length);
        putHex(target, offset, 8, runId);
        target[offset + SOURCE_AT - 1] = ' ';
        putHex(target, offset + SOURCE_AT, 5, source);
        target[offset + SEQUENCE_AT - 1] = ' ';
        putHex(target, offset + SEQUENCE_AT, 8, sequence);
        target[offset + TIME_AT - 1] = ' ';
        putHex(target, offset + TIME_AT, 8, intendedTimeMicros);
    }

    /** Like the other {@code encode}, at an absolute index of a buffer, whose position and limit stay as they are. */
    public static void encode(
            ByteBuffer target, int index, int runId, int source, int sequence, int intendedTimeMicros) {
        Objects.checkFromIndexSize(index, LENGTH, target.limit());
        putHex(target, index, 8, runId);
        target.put(index + SOURCE_AT - 1, (byte) ' ');
        putHex(target, index + SOURCE_AT, 5, source);
        target.put(index + SEQUENCE_AT - 1, (byte) ' ');
        putHex(target, index + SEQUENCE_AT, 8, sequence);
        target.put(index + TIME_AT - 1, (byte) ' ');
        putHex(target, index + TIME_AT, 8, intendedTimeMicros);
    }

    /**
     * Writes the padding after the identity in a payload of {@code size} bytes that starts at {@code index}. It is the
     * same in every payload of that size, so a reused buffer needs it once.
     */
    public static void pad(ByteBuffer target, int index, int size) {
        checkSize(size);
        Objects.checkFromIndexSize(index, size, target.limit());
        for (int i = LENGTH; i < size; i++) {
            target.put(index + i, paddingAt(i));
        }
    }

    /**
     * Decodes the identity of a payload. The padding is not checked.
     *
     * @param length the length of the whole payload
     * @return false, with the getters unchanged, when the payload is not of this format: shorter than an identity, a
     *     digit that is not lower-case hexadecimal, or anything but a space where a space belongs
     */
    public boolean decode(byte[] payload, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, payload.length);
        if (length < LENGTH
                || payload[offset + SOURCE_AT - 1] != ' '
                || payload[offset + SEQUENCE_AT - 1] != ' '
                || payload[offset + TIME_AT - 1] != ' '
                || (length > LENGTH && payload[offset + LENGTH] != ' ')) {
            return false;
        }
        long run = hex(payload, offset, 8);
        long from = hex(payload, offset + SOURCE_AT, 5);
        long number = hex(payload, offset + SEQUENCE_AT, 8);
        long time = hex(payload, offset + TIME_AT, 8);
        if ((run | from | number | time) < 0) {
            return false;
        }
        runId = run;
        source = (int) from;
        sequence = number;
        intendedTimeMicros = time;
        return true;
    }

    /** Like the other {@code decode}, at an absolute index of a buffer, whose position and limit stay as they are. */
    public boolean decode(ByteBuffer payload, int index, int length) {
        Objects.checkFromIndexSize(index, length, payload.limit());
        int head = Math.min(length, scratch.length);
        payload.get(index, scratch, 0, head);
        return decode(scratch, 0, head);
    }

    /**
     * Searches a payload for the identity of a run: at the start, where most have it, then at every occurrence of the run
     * id, such as after the header of a syslog message.
     *
     * @param runId the run to search for, unsigned
     * @return false, with the getters unchanged, when the payload contains no identity of that run
     */
    public boolean find(byte[] payload, int offset, int length, int runId) {
        Objects.checkFromIndexSize(offset, length, payload.length);
        long wanted = Integer.toUnsignedLong(runId);
        int end = offset + length;
        for (int at = offset; at <= end - LENGTH; at++) {
            // The space is checked first, so that most bytes cost one comparison.
            if (payload[at + SOURCE_AT - 1] == ' '
                    && hex(payload, at, 8) == wanted
                    && (at == offset || hexDigit(payload[at - 1]) == NOT_HEX)
                    && decode(payload, at, end - at)) {
                return true;
            }
        }
        return false;
    }

    /** The run id, from 0 to 2^32 - 1. */
    public long runId() {
        return runId;
    }

    /** The source number, from 0 to {@link #MAX_SOURCE}. */
    public int source() {
        return source;
    }

    /** The sequence number within the source, from 0 to 2^32 - 1. */
    public long sequence() {
        return sequence;
    }

    /** The intended send time in microseconds since the epoch, modulo 2^32. */
    public long intendedTimeMicros() {
        return intendedTimeMicros;
    }

    /** The padding that {@link #pad} writes, as a string. */
    public static String padding(int size) {
        StringBuilder text = new StringBuilder(Math.max(size - LENGTH, 0));
        for (int i = LENGTH; i < size; i++) {
            text.append((char) paddingAt(i));
        }
        return text.toString();
    }

    private static void checkSize(int size) {
        if (size < LENGTH) {
            throw new IllegalArgumentException("a payload has at least " + LENGTH + " bytes, not " + size);
        }
    }

    private static byte paddingAt(int i) {
        return (byte) (i < PADDING_AT ? ' ' : 'a' + (i - PADDING_AT) % LETTERS);
    }

    private static void putHex(byte[] target, int offset, int digits, int value) {
        int remainder = value;
        for (int i = offset + digits - 1; i >= offset; i--) {
            target[i] = DIGITS[remainder & 0xf];
            remainder >>>= 4;
        }
    }

    private static void putHex(ByteBuffer target, int index, int digits, int value) {
        int remainder = value;
        for (int i = index + digits - 1; i >= index; i--) {
            target.put(i, DIGITS[remainder & 0xf]);
            remainder >>>= 4;
        }
    }

    private static long hex(byte[] from, int offset, int digits) {
        long value = 0;
        for (int i = offset; i < offset + digits; i++) {
            int digit = hexDigit(from[i]);
            if (digit == NOT_HEX) {
                return NOT_HEX;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static int hexDigit(byte c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : NOT_HEX;
    }
}
