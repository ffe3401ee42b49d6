package io.millrace.message;

import io.millrace.internal.format.JournalRecord;
import io.millrace.journal.DatagramView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record that a format writes: its bytes, its origin, and the message, which is parsed on first request. Reused for each
 * record. One thread. Not to be implemented by programs.
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
public interface LogRecord {
    /** Creates an empty record, with the same rules for all inputs. */
    static LogRecord of(InputRules rules) {
        return of(rules, Map.of());
    }

    /**
     * Creates an empty record for inputs with different rules, such as time zones.
     *
     * @param others the rules of all other inputs
     * @param byInput the rules by the name of the input
     */
    static LogRecord of(InputRules others, Map<String, InputRules> byInput) {
        return of(others, byInput, false);
    }

    /**
     * Creates an empty record as {@link #of(InputRules, Map)} does.
     *
     * @param fieldsWritten true if JSON includes the fields of the body as an object
     */
    static LogRecord of(InputRules others, Map<String, InputRules> byInput, boolean fieldsWritten) {
        return new JournalRecord(others, byInput, fieldsWritten);
    }

    /**
     * Sets the record to a datagram of the journal, or to the first message in it. The view must stay valid while the record is
     * used.
     *
     * @param input the name of its input
     * @return this record
     */
    LogRecord wrap(DatagramView view, String input, int shard, long sequence);

    /**
     * Sets the record to a message from another source, such as a line of a file. Only its time is known.
     *
     * @param memory the array of its bytes, which is not copied
     * @param readTimeNs in ns since the epoch
     * @return this record
     */
    LogRecord wrap(byte[] memory, int begin, int end, long readTimeNs);

    /**
     * Sets the record to another one's message with expanded bytes if that is compressed, and with converted ones if its text is not UTF-8.
     *
     * @return false, without a change, if it is neither
     * @throws IllegalArgumentException if it is compressed and cannot be expanded
     */
    boolean wrapExpanded(LogRecord original);

    /** Moves to the next message of the same datagram; returns false, without moving, if there is none. */
    boolean nextPart();

    /** The message, whose offsets are into {@link SyslogMessage#bytes()}: a compressed payload is expanded. */
    SyslogMessage message();

    /** True if the message is the received text in UTF-8, and {@link #bytes()} has it in another charset. */
    boolean isConverted();

    /** True if the payload is valid UTF-8. Otherwise outputs other than {@code raw} write U+FFFD, or convert it. */
    boolean isUtf8();

    /** The array of the payload; not a copy. */
    byte[] bytes();

    /** The beginning of the payload, or of the message within it. */
    int begin();

    /** The end of the payload or message, exclusive. */
    int end();

    /** The receive time, or the time of reading, in ns since the epoch. */
    long receiveTimeNs();

    /** The datagram in the journal; null if it has another source. */
    @Nullable
    DatagramView datagram();

    /** True if it comes from a process of this host by a Unix socket. */
    boolean isLocal();

    /** True if this host is its host: it comes from here, and names no other. */
    boolean isHostLocal();

    /** The transport it came by, in ASCII, not a copy; only with a datagram. */
    byte[] transport();

    /** The name of the peer in its certificate, in UTF-8; empty without one. */
    byte[] tlsPeer();

    /** The name of the input in UTF-8; not a copy. Only with a datagram. */
    byte[] input();

    /** The shard; only with a datagram. */
    int shard();

    /** The sequence in the shard; only with a datagram. */
    long sequence();

    /** True if it is one of several messages of a datagram. */
    boolean isPart();

    /** The index of the message in its datagram, from 0. */
    int part();

    /** True if the message was truncated. In a datagram of several messages, that is the last one. */
    boolean isTruncated();

    /** True if its connection ended before it did: of several messages that is the last. */
    boolean isIncomplete();
}
