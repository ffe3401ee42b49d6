package io.millrace.sender.schedule;

/**
 * Iterator over the batches of one thread, in the order of their numbers. A batch is what one system call sends: datagrams
 * of one source with consecutive sequence numbers. In each source these start at 0 and have no gaps.
 */
public final class BatchIterator {
    private final SourceLayout layout;
    private final int thread;
    private final long count;

    private int groupStart;
    private int groupSources;
    private long groupFirst;
    private long groupEnd;

    private int source;
    private long round;
    private long first;
    private int size;

    /** Iterates over the batches of one thread of a run with {@code count} datagrams. */
    public BatchIterator(SourceLayout layout, int thread, long count) {
        this.layout = layout;
        this.thread = thread;
        this.count = count;
        enterGroup(0, 0);
        source = thread - layout.threads();
    }

    /** Goes to the next batch; false if there is none. */
    public boolean next() {
        source += layout.threads();
        if (source >= groupSources) {
            source = thread;
            round++;
        }
        while (true) {
            first = groupFirst + (round * groupSources + source) * layout.segments();
            if (first < groupEnd) {
                size = (int) Math.min(layout.segments(), groupEnd - first);
                return true;
            }
            int nextStart = groupStart + groupSources;
            if (nextStart >= layout.sources()) {
                return false;
            }
            enterGroup(nextStart, groupEnd);
            source = thread;
        }
    }

    /** The number of the batch's first datagram in the whole run. */
    public long first() {
        return first;
    }

    /** The number of datagrams in the batch; the last batch of a run may have fewer. */
    public int size() {
        return size;
    }

    public int source() {
        return groupStart + source;
    }

    /** The sequence number of the batch's first datagram in its source. */
    public long sequence() {
        return round * layout.segments();
    }

    private void enterGroup(int start, long firstNumber) {
        groupStart = start;
        groupSources = Math.min(layout.group(), layout.sources() - start);
        groupFirst = firstNumber;
        round = 0;
        if (groupSources == layout.sources()) {
            groupEnd = count;
        } else {
            // The remainder goes to the first sources of the run, one datagram more per source.
            long perSource = count / layout.sources();
            long more = Math.min(Math.max(count % layout.sources() - start, 0), groupSources);
            groupEnd = firstNumber + perSource * groupSources + more;
        }
    }
}
