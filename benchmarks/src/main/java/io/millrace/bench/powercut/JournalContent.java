package io.millrace.bench.powercut;

import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The messages of a journal: which are there, in which order, and which sequence numbers are missing. */
final class JournalContent {
    private static final int MAX_PAYLOAD = 1 << 16;

    private final MessageFormat format;
    private final byte[] bytes = new byte[MAX_PAYLOAD];
    private final ShardTable ids = new ShardTable();
    private final Map<Integer, BitSet> numbers = new HashMap<>();
    private final Map<Integer, Integer> last = new HashMap<>();
    private final List<Long> next = new ArrayList<>();
    private long messages;
    private long missing;
    private long duplicated;
    private long reordered;
    private long others;
    private long repeatedSequences;

    private JournalContent(MessageFormat format) {
        this.format = format;
    }

    /** Reads all of a journal. */
    static JournalContent read(Path data, MessageFormat format) throws IOException {
        JournalContent content = new JournalContent(format);
        Journal journal = Journal.open(data);
        try (JournalCursor cursor = journal.cursor().fromBeginning().open()) {
            while (cursor.poll(content::add) > 0) {
                // Until the end of the journal.
            }
        }
        content.addMissingAtEnd(journal.endSequences());
        return content;
    }

    private void add(DatagramView datagram, CursorPosition position) {
        messages++;
        int length = datagram.copyHead(bytes);
        long id = format.idOfWhole(bytes, datagram.payloadLength() == length ? length : 0);
        addSequence(position.shard(), position.sequence(), id);
        if (id == MessageId.OTHER) {
            others++;
            return;
        }
        int number = MessageId.number(id);
        BitSet seen = numbers.computeIfAbsent(MessageId.source(id), source -> new BitSet());
        if (seen.get(number)) {
            duplicated++;
        }
        seen.set(number);
        Integer before = last.put(MessageId.source(id), number);
        if (before != null && before > number) {
            reordered++;
        }
    }

    private void addSequence(int shard, long sequence, long id) {
        while (next.size() <= shard) {
            next.add(0L);
        }
        long expected = next.get(shard);
        if (sequence < expected) {
            repeatedSequences++;
        } else {
            missing += sequence - expected;
        }
        next.set(shard, Math.max(expected, sequence + 1));
        var unused = ids.put(shard, sequence, id);
    }

    /** A shard may end with a gap, if nothing came after the power failure. */
    private void addMissingAtEnd(long[] ends) {
        for (int shard = 0; shard < ends.length; shard++) {
            long expected = shard < next.size() ? next.get(shard) : 0;
            missing += Math.max(0, ends[shard] - expected);
        }
    }

    /** The messages by shard and sequence number. */
    ShardTable ids() {
        return ids;
    }

    boolean has(int source, int number) {
        BitSet seen = numbers.get(source);
        return seen != null && seen.get(number);
    }

    /** How many different messages of a source there are. */
    int count(int source) {
        BitSet seen = numbers.get(source);
        return seen == null ? 0 : seen.cardinality();
    }

    long messages() {
        return messages;
    }

    /** Sequence numbers of all shards that have no message. */
    long missing() {
        return missing;
    }

    /** What no journal may have; empty if it is in order. */
    List<String> problems() {
        List<String> found = new ArrayList<>();
        add(found, duplicated, "messages are there twice");
        add(found, reordered, "messages are not in the order of their connection");
        add(found, others, "messages are not as they were sent");
        add(found, repeatedSequences, "sequence numbers are not above the one before");
        return found;
    }

    private static void add(List<String> found, long count, String what) {
        if (count > 0) {
            found.add(count + " " + what);
        }
    }
}
