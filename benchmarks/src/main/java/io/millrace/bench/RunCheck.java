package io.millrace.bench;

import io.millrace.read.Journal;
import io.millrace.read.JournalCursor;
import io.millrace.record.DatagramView;
import io.millrace.sender.SequencePayload;
import java.io.IOException;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;

/** Finds the datagrams of one run of the sender in a journal, and says of each source which came and how. One thread. */
public final class RunCheck {
    private final long runId;
    private final SequencePayload payload = new SequencePayload();
    private final Map<Integer, Source> sources = new TreeMap<>();
    private final byte[] head = new byte[0xffff];
    private long others;

    /** What came of one source. */
    public static final class Source {
        private final BitSet seen = new BitSet();
        private long received;
        private long duplicated;
        private long reordered;
        private long highest = -1;

        private void add(long sequence) {
            received++;
            if (sequence < highest) {
                reordered++;
            }
            highest = Math.max(highest, sequence);
            int bit = Math.toIntExact(sequence);
            if (seen.get(bit)) {
                duplicated++;
            }
            seen.set(bit);
        }

        /** Datagrams in the journal, duplicates included. */
        public long received() {
            return received;
        }

        /** Datagrams that were in the journal before. */
        public long duplicated() {
            return duplicated;
        }

        /** Datagrams that came after one with a higher sequence number. */
        public long reordered() {
            return reordered;
        }

        /** Sequence numbers below the highest that are not in the journal. */
        public long holes() {
            return highest + 1 - seen.cardinality();
        }

        /** The highest sequence number in the journal; -1 if there is none. */
        public long highest() {
            return highest;
        }

        /** True if the datagram with this sequence number is in the journal. */
        public boolean has(long sequence) {
            return seen.get(Math.toIntExact(sequence));
        }
    }

    private RunCheck(long runId) {
        this.runId = runId;
    }

    /**
     * Reads a journal to its end.
     *
     * @param runId the run to look for
     */
    public static RunCheck of(Journal journal, long runId) throws IOException {
        RunCheck check = new RunCheck(runId);
        try (JournalCursor cursor = journal.cursor().fromBeginning().open()) {
            while (cursor.poll((datagram, position) -> check.add(datagram)) > 0) {
                // Until the end.
            }
        }
        return check;
    }

    private void add(DatagramView datagram) {
        datagram.copyPayload(head, 0);
        if (payload.decode(head, 0, datagram.payloadLength()) && payload.runId() == runId) {
            sources.computeIfAbsent(payload.source(), number -> new Source()).add(payload.sequence());
        } else {
            others++;
        }
    }

    /** The sources that were seen, by number. */
    public Map<Integer, Source> sources() {
        return sources;
    }

    /** Datagrams of the run, each counted once. */
    public long distinct() {
        return sources.values().stream()
                .mapToLong(source -> source.seen.cardinality())
                .sum();
    }

    /** Datagrams that were there before. */
    public long duplicated() {
        return sources.values().stream().mapToLong(Source::duplicated).sum();
    }

    /** Datagrams that came after a later one of their source. */
    public long reordered() {
        return sources.values().stream().mapToLong(Source::reordered).sum();
    }

    /** Datagrams in the journal that are none of the run. */
    public long others() {
        return others;
    }
}
