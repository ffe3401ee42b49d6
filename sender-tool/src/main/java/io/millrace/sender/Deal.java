package io.millrace.sender;

/**
 * Walks through the GSO batches of one thread, in the order of their numbers: which datagrams, from which source, and their
 * sequence numbers there. Sequence numbers start at 0 and have no holes.
 */
final class Deal {
    private final Layout layout;
    private final int thread;
    private final long count;

    private int groupFrom;
    private int groupSources;
    private long groupFirst;
    private long groupEnd;

    private int source;
    private long round;
    private long first;
    private int length;

    Deal(Layout layout, int thread, long count) {
        this.layout = layout;
        this.thread = thread;
        this.count = count;
        enterGroup(0, 0);
        source = thread - layout.threads();
    }

    /** Goes to the next GSO batch; false when there is none. */
    boolean next() {
        source += layout.threads();
        if (source >= groupSources) {
            source = thread;
            round++;
        }
        while (true) {
            first = groupFirst + (round * groupSources + source) * layout.gso();
            if (first < groupEnd) {
                length = (int) Math.min(layout.gso(), groupEnd - first);
                return true;
            }
            int nextFrom = groupFrom + groupSources;
            if (nextFrom >= layout.sources()) {
                return false;
            }
            enterGroup(nextFrom, groupEnd);
            source = thread;
        }
    }

    /** The number of the GSO batch's first datagram in the whole run. */
    long first() {
        return first;
    }

    /** How many datagrams the GSO batch has; the last one of a run may be short. */
    int length() {
        return length;
    }

    /** The source the GSO batch leaves from. */
    int source() {
        return groupFrom + source;
    }

    /** The sequence number of the GSO batch's first datagram in its source. */
    long sequence() {
        return round * layout.gso();
    }

    private void enterGroup(int from, long firstNumber) {
        groupFrom = from;
        groupSources = Math.min(layout.group(), layout.sources() - from);
        groupFirst = firstNumber;
        round = 0;
        if (groupSources == layout.sources()) {
            groupEnd = count;
        } else {
            // What does not go up evenly is sent by the first sources of all, one datagram more each.
            long each = count / layout.sources();
            long more = Math.min(Math.max(count % layout.sources() - from, 0), groupSources);
            groupEnd = firstNumber + each * groupSources + more;
        }
    }
}
