package io.millrace.sources;

import io.millrace.agent.Agent;
import io.millrace.agent.EpochClock;
import io.millrace.agent.IdleStrategy;
import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import io.millrace.journal.AppendSignal;
import io.millrace.journal.read.CursorPosition;
import io.millrace.journal.read.DatagramHandler;
import io.millrace.journal.read.Journal;
import io.millrace.journal.read.JournalCursor;
import io.millrace.record.DatagramView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journal as it grows, and takes note of who sent what: which sources send most, which are silent, and which
 * numbers are missing in what they number. Whatever sources do, its memory is bounded.
 *
 * <p>One thread calls {@link #doWork}; {@link #status} may be called by any.
 */
public final class SourceTracker implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceTracker.class);
    private static final long REVIEW_NS = TimeUnit.SECONDS.toNanos(1);
    /** Nobody waits for what is found, so the journal is read rarely, and then much of it. */
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long BATCH_BYTES = 1 << 20;
    private static final int MAX_TOP = 10;

    private final Journal journal;
    private final CounterFile counters;
    private final boolean numbering;
    private final EpochClock clock;
    private final DatagramHandler handler = this::take;
    private final SequenceNumberFinder finder = new SequenceNumberFinder();
    private final KnownSources known;
    private final TopSources top;
    /** By shard, the next sequence number to read. */
    private final long[] next;

    private final AtomicLongArray shownNext;
    private @Nullable JournalCursor cursor;
    private long reviewedNs;
    private volatile SourcesStatus shown;

    /**
     * How to watch.
     *
     * @param silentAfter how many times its longest silence a source is silent before that is said, from 1
     * @param numbering false if the datagrams of a source are spread over shards, so that their order is lost
     */
    public record Settings(int silentAfter, boolean numbering) {}

    /** Prepares a watch; {@link #begin} says where it begins. */
    public SourceTracker(Journal journal, CounterFile counters, Settings settings) {
        this(journal, counters, settings, EpochClock.system(), LOG::warn);
    }

    /**
     * The same with another clock and another place for what is said.
     *
     * @param clock called by the thread of {@link #doWork}, and once by this one
     * @param log takes a line for a person
     */
    public SourceTracker(
            Journal journal, CounterFile counters, Settings settings, EpochClock clock, Consumer<String> log) {
        this.journal = journal;
        this.counters = counters;
        this.numbering = settings.numbering();
        this.clock = clock;
        this.known = new KnownSources(settings.silentAfter(), log);
        this.reviewedNs = clock.epochNs();
        this.top = new TopSources(reviewedNs);
        this.next = new long[counters.shardCount()];
        this.shownNext = new AtomicLongArray(next.length);
        this.shown = new SourcesStatus(0, 0, 0, 0, 0, 0, numbering, List.of(), List.of(), 0, List.of());
    }

    /** What a thread does between two calls. */
    public static IdleStrategy idle(AppendSignal.Reader appends) {
        return workDone -> appends.idle(workDone, BATCH_BYTES, LINGER_NS, REVIEW_NS);
    }

    @Override
    public String roleName() {
        return "sources";
    }

    /**
     * Begins at the end of the journal as it is now.
     *
     * @throws IOException if it cannot be read
     */
    public void begin() throws IOException {
        var unused = open();
    }

    private JournalCursor open() throws IOException {
        for (int shard = 0; shard < next.length; shard++) {
            next[shard] = counters.shard(shard).get(Counter.JOURNALED_DATAGRAMS);
            shownNext.set(shard, next[shard]);
            // What lies between is not looked at, and missing to nobody.
            known.forgetNumbers(shard);
        }
        JournalCursor opened = journal.cursor()
                .fromEnd()
                .onGap((shard, firstSequence, count) -> known.forgetNumbers(shard))
                .open();
        cursor = opened;
        return opened;
    }

    /** Reads a batch, and every second looks through what is known. */
    @Override
    public int doWork() {
        int count = read();
        long nowNs = clock.epochNs();
        long age = nowNs - reviewedNs;
        boolean allRead = count == 0 && !isBlocked();
        // There is mostly a moment in each second in which all is read; what is shown does not wait for it for long.
        if (age < 0 || age >= (allRead ? REVIEW_NS : 2 * REVIEW_NS)) {
            review(nowNs, allRead);
        }
        return count;
    }

    private int read() {
        try {
            JournalCursor open = cursor == null ? open() : cursor;
            int count = open.poll(handler);
            for (int shard = 0; count > 0 && shard < next.length; shard++) {
                shownNext.lazySet(shard, next[shard]);
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            // The next call begins at the journal's end.
            close();
            throw e;
        }
    }

    private void take(DatagramView datagram, CursorPosition position) {
        long high = datagram.sourceHigh();
        long low = datagram.sourceLow();
        int hash = SourceAddress.hash(high, low);
        long timeNs = datagram.receiveTimeNs();
        top.add(high, low, hash, datagram.payloadLength());
        KnownSource source = known.heard(high, low, hash, timeNs);
        if (numbering && source.isEstablished()) {
            NumberingScheme found = finder.find(datagram);
            if (found != null) {
                known.numbered(source, found, finder, timeNs, position.shard());
            }
        }
        next[position.shard()] = position.sequence() + 1;
    }

    /** While the journal takes nothing, it is not the sources that are silent. */
    private boolean isBlocked() {
        for (int shard = 0; shard < next.length; shard++) {
            if (counters.shard(shard).get(Counter.JOURNAL_BLOCKED) != 0) {
                return true;
            }
        }
        return false;
    }

    private void review(long nowNs, boolean allRead) {
        reviewedNs = nowNs;
        KnownSources.Review review = known.review(nowNs, allRead);
        SourceSequences.Budget numbers = known.numbers();
        shown = new SourcesStatus(
                known.count(),
                known.forgotten(),
                numbers.missing,
                numbers.restarts,
                numbers.unfollowed,
                0,
                numbering,
                top.top(MAX_TOP, nowNs),
                review.silent(),
                known.silentCount(),
                review.gaps());
    }

    /** What was known a moment ago. */
    public SourcesStatus status() {
        long behind = 0;
        for (int shard = 0; shard < shownNext.length(); shard++) {
            long read = shownNext.get(shard);
            behind += Math.max(0, counters.shard(shard).get(Counter.JOURNALED_DATAGRAMS) - read);
        }
        return shown.behind(behind);
    }

    /** Closes the journal's files. To be called when no thread calls {@link #doWork} any more. */
    @Override
    public void close() {
        JournalCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }
}
