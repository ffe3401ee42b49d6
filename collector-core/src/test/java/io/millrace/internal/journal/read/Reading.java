package io.millrace.internal.journal.read;

import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.GapHandler;
import java.util.ArrayList;
import java.util.List;

/** The results of a cursor as text: {@code SHARD:SEQUENCE=TEXT} and {@code gap SHARD:SEQUENCE+COUNT}. */
final class Reading implements GapHandler {
    final List<String> found = new ArrayList<>();

    /** Polls until there are no new datagrams. */
    Reading all(JournalCursor cursor) {
        while (poll(cursor, Integer.MAX_VALUE) > 0) {
            // Read more.
        }
        return this;
    }

    int poll(JournalCursor cursor, int limit) {
        return cursor.poll((datagram, position) -> found.add(position + "=" + datagram.payloadText()), limit);
    }

    @Override
    public void onGap(int shard, long firstSequence, long count) {
        found.add("gap " + shard + ":" + firstSequence + "+" + count);
    }

    /** The expected result for numbered datagrams. */
    static List<String> numbered(int shard, long from, long to) {
        List<String> expected = new ArrayList<>();
        for (long sequence = from; sequence < to; sequence++) {
            expected.add(shard + ":" + sequence + "=" + shard + ":" + sequence);
        }
        return expected;
    }

    /** The concatenation of several expected results. */
    @SafeVarargs
    static List<String> joined(List<String>... parts) {
        List<String> all = new ArrayList<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return all;
    }
}
