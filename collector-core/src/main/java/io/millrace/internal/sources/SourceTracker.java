package io.millrace.internal.sources;

import io.millrace.collector.Counter;
import io.millrace.collector.SilenceLimit;
import io.millrace.collector.SilenceRules;
import io.millrace.collector.SourcesStatus;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.IdleStrategy;
import io.millrace.internal.agent.Ticks;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.parse.ParsedMessage;
import io.millrace.internal.parse.SyslogParser;
import io.millrace.journal.CursorPosition;
import io.millrace.journal.DatagramView;
import io.millrace.journal.Journal;
import io.millrace.journal.JournalCursor;
import io.millrace.journal.JournalCursor.DatagramHandler;
import io.millrace.message.SyslogMessage;
import io.millrace.transport.EpochClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The agent of source tracking: reads the journal as it grows and finds the top sources, silent sources and sequence
 * gaps. Its memory is bounded, whatever the sources send.
 *
 * <p>One thread calls {@link #doWork}; {@link #status} and {@link #find} may be called by any. A search delays that thread.
 */
public final class SourceTracker implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceTracker.class);
    private static final long REVIEW_NS = TimeUnit.SECONDS.toNanos(1);
    /** While nothing arrives, only silence and the age of the rates change. */
    private static final long QUIET_REVIEW_NS = TimeUnit.SECONDS.toNanos(5);

    /** The results are not urgent, so the tracker reads the journal rarely and in large batches. */
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** After a kill, what was learned in this time is learned again. */
    private static final long SAVE_NS = TimeUnit.MINUTES.toNanos(1);

    private static final long BATCH_BYTES = 1 << 20;

    /** How many datagrams are counted at once: what they need fits the L1 cache of usual CPUs. */
    private static final int GROUP = 32;

    private final Journal journal;
    private final CounterFile counters;
    private final boolean numbering;
    private final EpochClock clock;
    private final DatagramHandler handler = this::take;
    private final HostNameReader hostNames = new HostNameReader();
    private final SequenceNumberFinder finder = new SequenceNumberFinder();
    private final KnownSources known;
    private final SamplingLimit sampling;
    private final SavedSources saved;
    private final long beganNs;
    /** The next sequence number to read, by shard. */
    private final long[] nextSequence;

    private final AtomicLongArray publishedNext;
    private @Nullable JournalCursor cursor;
    /** Datagrams that were read and are not counted yet. */
    private final PendingDatagram[] pending = new PendingDatagram[GROUP];

    private int pendingCount;
    /** Keeps what {@link KnownSource#touch} returns, so that the compiler does not eliminate the reads. */
    @SuppressWarnings("UnusedVariable")
    private long touched;

    private long skipped;
    private long reviewedNs;
    private boolean readSinceReview;
    private long savedNs;
    private boolean readSinceSave;
    private boolean begun;
    /** The known sources, to be written when nobody waits. */
    private @Nullable String unsaved;

    private volatile SourcesStatus published;

    /**
     * Settings of source tracking.
     *
     * @param silentAfter when a source is reported as silent
     * @param numbering false if the datagrams of a source are spread over several shards, which loses their order
     * @param file where the known sources are between two processes
     * @param maxPerSecond how many datagrams are read per second; if more arrive for longer than 1 s, they are sampled
     */
    public record Settings(SilenceLimit silentAfter, boolean numbering, Path file, long maxPerSecond) {}

    /** Creates a tracker; {@link #begin} sets where it starts in the journal. */
    public SourceTracker(Journal journal, CounterFile counters, Settings settings) {
        this(
                journal,
                counters,
                settings,
                EpochClock.system(),
                (level, line) -> LOG.atLevel(level).log(line));
    }

    /**
     * Creates a tracker with another clock and another log.
     *
     * @param clock called by the thread of {@link #doWork}, and once by this constructor
     * @param log accepts the log lines with their levels
     */
    public SourceTracker(
            Journal journal, CounterFile counters, Settings settings, EpochClock clock, BiConsumer<Level, String> log) {
        this.journal = journal;
        this.counters = counters;
        this.numbering = settings.numbering();
        this.clock = clock;
        this.known = new KnownSources(settings.silentAfter(), log);
        this.sampling = new SamplingLimit(settings.maxPerSecond());
        this.saved = new SavedSources(settings.file());
        this.reviewedNs = clock.epochNs();
        this.savedNs = reviewedNs;
        this.beganNs = reviewedNs;
        this.nextSequence = new long[counters.shardCount()];
        Arrays.setAll(pending, i -> new PendingDatagram());
        this.publishedNext = new AtomicLongArray(nextSequence.length);
        this.published = new SourcesStatus(0, 0, 0, 0, 0, 0, 0, 0, numbering, List.of(), List.of(), 0, List.of());
    }

    /** Changes when sources are reported as silent. Any thread. */
    public void rules(UnaryOperator<SilenceRules> change) {
        synchronized (known) {
            known.rules(change);
        }
    }

    /** The idle strategy for the tracker's thread. */
    public IdleStrategy idle(AppendSignal.Reader appends) {
        return workDone -> appends.idle(
                workDone,
                sampling.isReached() ? Long.MAX_VALUE : BATCH_BYTES,
                LINGER_NS,
                readSinceReview ? REVIEW_NS : Ticks.nsToNext(QUIET_REVIEW_NS));
    }

    @Override
    public String roleName() {
        return "sources";
    }

    /**
     * Starts at the current end of the journal, with the sources that the last process knew.
     *
     * @throws IOException if the journal cannot be read
     */
    public void begin() throws IOException {
        saved.restore(known, reviewedNs);
        var unused = open();
        review(reviewedNs, false);
        begun = true;
    }

    private JournalCursor open() throws IOException {
        for (int shard = 0; shard < nextSequence.length; shard++) {
            nextSequence[shard] = counters.shard(shard).get(Counter.JOURNALED_DATAGRAMS);
            publishedNext.set(shard, nextSequence[shard]);
            // The tracker skips datagrams up to the end, so they are not a gap of any source.
            known.forgetNumbers(shard);
        }
        JournalCursor opened = journal.cursor()
                .fromEnd()
                .onGap((shard, firstSequence, count) -> {
                    countPending();
                    known.forgetNumbers(shard);
                })
                .open();
        cursor = opened;
        return opened;
    }

    /** Reads a batch, and updates the status every second. */
    @Override
    public int doWork() {
        int count;
        String toSave;
        synchronized (known) {
            count = step();
            toSave = unsaved;
            unsaved = null;
        }
        if (toSave != null) {
            saved.write(toSave);
        }
        return count;
    }

    private int step() {
        if (sampling.isOver(clock.epochNs())) {
            beginSecond(clock.epochNs());
        }
        int count = sampling.isReached() ? 0 : read();
        long nowNs = clock.epochNs();
        sampling.add(count, nowNs);
        readSinceReview |= count > 0;
        readSinceSave |= count > 0;
        long age = nowNs - reviewedNs;
        boolean allRead = count == 0 && !sampling.isReached() && !isBlocked();
        // Usually all is read at some moment of each second. If not, the status is updated after two seconds anyway.
        if (age < 0 || age >= (allRead ? REVIEW_NS : 2 * REVIEW_NS)) {
            review(nowNs, allRead);
        }
        return count;
    }

    /** After a second with too many datagrams, continues at the end of the journal. */
    private void beginSecond(long nowNs) {
        long unread = sampling.isReached() && behind() > 0 ? skipToEnd(nowNs) : 0;
        skipped += unread;
        sampling.begin(nowNs, unread);
    }

    private long skipToEnd(long nowNs) {
        long before = Arrays.stream(nextSequence).sum();
        closeCursor();
        try {
            var unused = open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        known.pause(sampling.pauseNs(nowNs));
        return Arrays.stream(nextSequence).sum() - before;
    }

    private int read() {
        try {
            JournalCursor open = cursor == null ? open() : cursor;
            int count;
            try {
                count = open.poll(handler);
            } finally {
                countPending();
            }
            for (int shard = 0; count > 0 && shard < nextSequence.length; shard++) {
                publishedNext.lazySet(shard, nextSequence[shard]);
            }
            return count;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (RuntimeException | Error e) {
            // The next call starts at the end of the journal.
            closeCursor();
            throw e;
        }
    }

    private void take(DatagramView datagram, CursorPosition position) {
        PendingDatagram next = pending[pendingCount];
        next.high = datagram.sourceHigh();
        next.low = datagram.sourceLow();
        next.hash = AddressHash.of(next.high, next.low);
        next.timeNs = datagram.receiveTimeNs();
        next.bytes = datagram.payloadLength();
        next.shard = position.shard();
        if (numbering) {
            finder.find(datagram, next.number);
        }
        pendingCount++;
        nextSequence[position.shard()] = position.sequence() + 1;
        if (known.mayWantHostName(next.hash)) {
            setHostName(next, datagram);
        }
        if (pendingCount == GROUP) {
            countPending();
        }
    }

    private void setHostName(PendingDatagram pendingDatagram, DatagramView datagram) {
        KnownSource source = known.find(pendingDatagram.high, pendingDatagram.low, pendingDatagram.hash);
        if (source != null && source.isEstablished() && source.wantsHostName(pendingDatagram.timeNs)) {
            source.setHostName(hostNames.read(datagram), pendingDatagram.timeNs);
            known.gotHostName(source);
        }
    }

    /**
     * Counts the datagrams that were read. With many sources their state is not in the cache of the CPU. So this finds all sources first:
     * these steps do not depend on each other, and the CPU waits for the memory of several at once.
     */
    private void countPending() {
        int count = pendingCount;
        pendingCount = 0;
        for (int i = 0; i < count; i++) {
            PendingDatagram each = pending[i];
            each.setFound(known.find(each.high, each.low, each.hash));
        }
        for (int i = 0; i < count; i++) {
            KnownSource source = pending[i].found();
            touched += source == null ? 0 : source.touch();
        }
        for (int i = 0; i < count; i++) {
            count(pending[i]);
        }
    }

    private void count(PendingDatagram datagram) {
        long timeNs = datagram.timeNs;
        KnownSource source = datagram.found();
        if (source == null) {
            source = known.heard(datagram.high, datagram.low, datagram.hash, timeNs);
        } else {
            known.heard(source, timeNs);
        }
        if (source != null && source.isEstablished()) {
            source.count(timeNs, sampling.weight(), datagram.bytes);
            known.numbered(source, datagram.number, timeNs, datagram.shard);
        }
    }

    /** True if the journal is blocked: then nothing is received, and no source counts as silent. */
    private boolean isBlocked() {
        for (int shard = 0; shard < nextSequence.length; shard++) {
            if (counters.shard(shard).get(Counter.JOURNAL_BLOCKED) != 0) {
                return true;
            }
        }
        return false;
    }

    private void review(long nowNs, boolean allRead) {
        reviewedNs = nowNs;
        readSinceReview = !allRead;
        KnownSources.Review review = known.review(nowNs, beganNs, allRead);
        SourceSequences.Budget numbers = known.numbers();
        published = new SourcesStatus(
                known.count(),
                known.forgotten(),
                known.untracked(),
                numbers.missing,
                numbers.restarts,
                numbers.unfollowed,
                0,
                skipped,
                numbering,
                review.top(),
                review.silent(),
                known.silentCount(),
                review.gaps());
        if (readSinceSave && Math.abs(nowNs - savedNs) >= SAVE_NS) {
            savedNs = nowNs;
            readSinceSave = false;
            unsaved = SavedSources.text(known);
        }
    }

    /**
     * Finds established sources, the busiest of the last minutes first. Any thread.
     *
     * @param text a part of the address or of the host name, in any case
     * @param limit how many are returned at most
     * @param withHosts false to search addresses only
     */
    public SourcesStatus.Found find(String text, int limit, boolean withHosts) {
        synchronized (known) {
            return known.find(text, limit, withHosts, clock.epochNs());
        }
    }

    /** The status, which is at most a few seconds old. Any thread. */
    public SourcesStatus status() {
        return published.behind(behind());
    }

    private long behind() {
        long behind = 0;
        for (int shard = 0; shard < publishedNext.length(); shard++) {
            long read = publishedNext.get(shard);
            behind += Math.max(0, counters.shard(shard).get(Counter.JOURNALED_DATAGRAMS) - read);
        }
        return behind;
    }

    /** Saves the known sources and closes the journal's files. To be called after the last call of {@link #doWork}. */
    @Override
    public void close() {
        if (begun) {
            saved.write(SavedSources.text(known));
        }
        closeCursor();
    }

    private void closeCursor() {
        JournalCursor open = cursor;
        cursor = null;
        if (open != null) {
            open.close();
        }
    }

    /** A datagram that was read and is not counted yet. Reused. One thread. */
    static final class PendingDatagram {
        long high;
        long low;
        int hash;
        long timeNs;
        int bytes;
        int shard;

        /** Its sequence number; {@link SequenceNumber#scheme} is null if it has none. */
        final SequenceNumber number = new SequenceNumber();

        /** Its source, looked up before counting; null if it was unknown. */
        private @Nullable KnownSource found;

        void setFound(@Nullable KnownSource source) {
            found = source;
        }

        /** The source that was found; null if it was unknown, or if the object stands for another source now. */
        @Nullable
        KnownSource found() {
            return found != null && found.low == low && found.high == high ? found : null;
        }
    }

    /** Reader of the host name in the header of a message. One thread. */
    static final class HostNameReader {
        private static final int HEAD_BYTES = 512;
        private static final int MAX_LENGTH = 128;

        private final byte[] head = new byte[HEAD_BYTES];
        private final SyslogParser parser = new SyslogParser(ZoneOffset.UTC);
        private final ParsedMessage message = new ParsedMessage();

        /** The host name according to the message, or its beginning; null if it has none. */
        @Nullable
        String read(DatagramView datagram) {
            int length = datagram.copyHead(head);
            var unused = parser.parse(head, 0, length, datagram.receiveTimeNs(), message);
            if (!message.has(SyslogMessage.Field.HOSTNAME)) {
                return null;
            }
            String name = message.text(SyslogMessage.Field.HOSTNAME);
            return name.length() > MAX_LENGTH ? name.substring(0, MAX_LENGTH) : name;
        }
    }
}
