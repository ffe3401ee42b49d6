package io.millrace.deliver;

import io.millrace.agent.Agent;
import io.millrace.agent.FailureLog;
import io.millrace.counters.CounterFile;
import io.millrace.deliver.OutputPacer.Wait;
import io.millrace.deliver.Positions.Counts;
import io.millrace.journal.AppendSignal;
import io.millrace.journal.OutputProgress;
import io.millrace.journal.read.Journal;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the journal to one sink: fills batches, sends them, and settles them in the order in which they were filled. One
 * thread calls {@link #doWork}; {@link #status} and {@link #stop} may be called by any.
 */
final class Delivery implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final long SAVE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long STALLED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SinkSettings settings;
    private final Sink sink;
    private final Journal journal;
    private final CounterFile counters;
    private final BatchFiller filler;
    private final PositionFile file;
    private final DeadLetters deadLetters;
    private final Backoff backoff;
    private final StallDetector stalls;
    private final DeliveryCounters deliveryCounters;
    private final FailureLog failures = new FailureLog(LOG);
    private final FailureLog refusals = new FailureLog(LOG);

    private final OutputPacer pacer;
    private final InFlight inFlight;
    private @Nullable SinkBatch filling;
    private @Nullable Positions saved;
    /** The positions on disk; null while they are unknown. */
    private volatile @Nullable Positions kept;

    private long savedAtNs;
    private long retryAtNs;
    private boolean retryScheduled;
    private boolean resending;
    private volatile boolean loaded;
    private volatile boolean positionsRead;
    private boolean interrupted;

    private volatile Positions positions = new Positions(0, new long[0], Counts.NONE);
    private volatile @Nullable String problem;
    private boolean abandoned;
    private volatile boolean stopping;
    private volatile boolean settling;
    private volatile long stopAtNs;
    private volatile boolean finished;

    Delivery(SinkSettings settings, Sink sink, Journal journal, CounterFile counters, AppendSignal.Reader appends) {
        this.settings = settings;
        this.sink = sink;
        this.journal = journal;
        this.counters = counters;
        this.pacer = new OutputPacer(appends, settings);
        this.inFlight = new InFlight(pacer::answered);
        this.filler = new BatchFiller(settings, sink, journal);
        this.file = PositionFile.of(journal.dataDirectory(), settings.name());
        this.stalls = new StallDetector(settings.name(), counters);
        this.deadLetters = new DeadLetters(journal, settings);
        this.deliveryCounters = new DeliveryCounters(sink, deadLetters);
        this.backoff = new Backoff(settings.minRetry(), settings.maxRetry(), RandomGenerator.getDefault());
    }

    /** The sink's name. */
    String name() {
        return settings.name();
    }

    @Override
    public String roleName() {
        return "output-" + settings.name();
    }

    /** Settles acknowledged batches, resends failed ones, and sends new ones. */
    @Override
    public int doWork() {
        if (finished) {
            return 0;
        }
        // Read before the journal: everything is delivered only if nothing was found after the stop began.
        boolean ending = stopping;
        if (ending) {
            filler.end();
        }
        pacer.begin();
        int work = 0;
        if (problem == null || System.nanoTime() - retryAtNs >= 0) {
            try {
                open();
                work = settle() + sendAgain() + (settling ? 0 : sendNew());
                // What the sink acknowledged during the call.
                work += settle();
                if (problem != null && !resending && !inFlight.hasFailed()) {
                    worked();
                }
            } catch (InterruptedException e) {
                // The flag is set again at the end: an interrupted thread could not write the positions.
                interrupted = true;
                stop(System.nanoTime());
            } catch (IOException | RuntimeException | Error e) {
                if (!(e instanceof IOException)) {
                    failures.report("Output " + settings.name() + " failed and is retried", e);
                }
                filler.close();
                failed(ErrorText.of(e));
            }
        }
        save(false);
        if ((ending && work == 0 && inFlight.isEmpty()) || (stopping && mustEnd())) {
            end();
        }
        pace(work);
        return work;
    }

    /** Sleeps until there is something to do. Between two calls of {@link #doWork}, by the same thread. */
    void idle(int workDone) {
        pacer.idle(workDone);
    }

    private void pace(int work) {
        long nowNs = System.nanoTime();
        long saveNs = !loaded || positions.equals(saved) ? Long.MAX_VALUE : savedAtNs + SAVE_NS - nowNs;
        if (stopping) {
            pacer.plan(work > 0 || finished ? Wait.NONE : Wait.END, saveNs);
        } else if (problem != null && retryAtNs - nowNs > 0) {
            pacer.plan(Wait.RETRY, Math.min(saveNs, retryAtNs - nowNs));
        } else if (inFlight.hasFailed()) {
            pacer.plan(inFlight.isAwaitingAnswer() ? Wait.ANSWER : Wait.NONE, saveNs);
        } else if (filling != null && filling.hasContent()) {
            pacer.plan(Wait.ANSWER, saveNs);
        } else if (!filler.isCaughtUp()) {
            pacer.plan(Wait.NONE, 0);
        } else if (work == 0 && !pacer.hasGrown() && stalls.isStalled(filler.next())) {
            pacer.plan(Wait.RETRY, STALLED_NS);
        } else {
            if (inFlight.isEmpty()) {
                deliveryCounters.caughtUp();
            }
            long limitNs = Math.min(inFlight.isEmpty() ? saveNs : SAVE_NS, filler.summaryDueNs());
            pacer.plan(work == 0 ? Wait.GROWTH : Wait.LINGER, limitNs);
        }
    }

    /** Loads the positions once; opens the cursor, also after a failure, at the first datagram that is in no batch. */
    private void open() throws IOException {
        if (!loaded) {
            try {
                load();
                sink.begin();
                loaded = true;
            } finally {
                positionsRead = true;
            }
        }
        filler.open();
    }

    private void load() throws IOException {
        long journalId = journal.meta().journalId();
        Positions found = file.read();
        if (found != null && found.journalId() != journalId) {
            LOG.warn(
                    "Output {}: {} belongs to another journal: the output starts at the beginning of this one",
                    settings.name(),
                    file);
            found = new Positions(journalId, new long[0], found.counts());
        } else if (found == null) {
            found = new Positions(journalId, settings.from().sequences(journal, counters), Counts.NONE);
        } else {
            saved = found;
        }
        filler.beginWith(found.next());
        positions = found;
        kept = found;
    }

    /** The positions on disk; empty while they are unknown. Any thread. */
    OutputProgress acknowledged() {
        Positions known = kept;
        return new OutputProgress(settings.name(), known == null ? new long[0] : known.next(), positionsRead);
    }

    /** Settles batches that are done, in their order. */
    private int settle() throws IOException {
        int settled = 0;
        for (SinkBatch batch = inFlight.oldestDone(); batch != null; batch = inFlight.oldestDone()) {
            int refused = deadLetters.write(batch);
            if (refused > 0) {
                deliveryCounters.refused(batch);
                String text = "Output {} refused records of {} of {} datagrams: they are in {}, with the reasons";
                refusals.report(text, settings.name(), refused, batch.datagrams, deadLetters.file());
            }
            positions = new Positions(
                    positions.journalId(),
                    batch.nextSequences,
                    positions.counts().plus(batch, refused));
            deliveryCounters.settled(batch);
            inFlight.release(batch);
            settled++;
            resending = false;
        }
        deliveryCounters.oldest(inFlight.oldest(), filling);
        String slow = deliveryCounters.newlySlow(settled > 0);
        if (slow != null) {
            LOG.warn("Output {}: {}", settings.name(), slow);
        }
        return settled;
    }

    /** Resends failed batches once the sink has answered for all batches, so that they keep their order. */
    private int sendAgain() throws InterruptedException {
        SinkBatch firstFailed = inFlight.firstFailed();
        if (firstFailed == null || inFlight.isAwaitingAnswer()) {
            return 0;
        }
        if (!retryScheduled) {
            deliveryCounters.retried();
            retryScheduled = true;
            failed(firstFailed.failure());
            return 0;
        }
        retryScheduled = false;
        resending = true;
        for (SinkBatch batch : inFlight) {
            if (batch.state() == SinkBatch.State.FAILED) {
                send(batch);
                if (batch.state() == SinkBatch.State.FAILED) {
                    break;
                }
            }
        }
        return 1;
    }

    /** Fills a batch, and sends it if it has content and the sink can take another batch. */
    private int sendNew() throws InterruptedException {
        SinkBatch batch = filling;
        if (batch == null) {
            batch = inFlight.take(sink.maxInFlight());
            filling = batch;
        }
        if (batch == null) {
            return 0;
        }
        int count = filler.fill(batch);
        if (batch.hasContent() && inFlight.size() < sink.maxInFlight() && !resending && !inFlight.hasFailed()) {
            filling = null;
            batch.journalId = positions.journalId();
            batch.nextSequences = filler.next();
            batch.sentNs = System.nanoTime();
            deliveryCounters.sent(batch);
            inFlight.add(batch);
            if (batch.openCount() > 0) {
                send(batch);
            } else {
                batch.sent();
                batch.done();
            }
            count++;
        }
        if (count > 0) {
            stalls.advanced();
        }
        return count;
    }

    private void send(SinkBatch batch) throws InterruptedException {
        batch.sent();
        batch.attemptNs = System.nanoTime();
        try {
            sink.send(batch);
        } catch (IOException | RuntimeException | Error e) {
            if (!(e instanceof IOException)) {
                failures.report("Output " + settings.name() + " failed and is retried", e);
            }
            batch.failedUnlessEnded(ErrorText.of(e));
        } catch (InterruptedException e) {
            batch.failedUnlessEnded("interrupted");
            throw e;
        }
    }

    private void failed(@Nullable String cause) {
        String text = String.valueOf(cause);
        if (problem == null) {
            LOG.warn("Output {} cannot deliver and retries: {}", settings.name(), text);
        }
        problem = text;
        retryAtNs = System.nanoTime() + backoff.nextNs();
    }

    private void worked() {
        backoff.reset();
        if (problem != null) {
            problem = null;
            LOG.info("Output {} delivers again", settings.name());
        }
    }

    private synchronized void save(boolean now) {
        if (abandoned || !loaded || positions.equals(saved) || (!now && System.nanoTime() - savedAtNs < SAVE_NS)) {
            return;
        }
        savedAtNs = System.nanoTime();
        Positions current = positions;
        try {
            file.write(current);
            saved = current;
            kept = current;
        } catch (IOException | RuntimeException e) {
            failures.report(
                    "Output " + settings.name() + " cannot write its positions and continues; after a crash it"
                            + " sends more messages twice",
                    e);
        }
    }

    /** Begins the stop: the output delivers what is in the journal until this time, and ends at once if it cannot deliver. */
    void stop(long endNs) {
        stopAtNs = endNs;
        stopping = true;
        pacer.wake();
    }

    /** Saves the positions of an output that does not end, and prevents it from doing so later. Any thread. */
    synchronized void abandon() {
        save(true);
        abandoned = true;
    }

    /** Begins the stop: the output waits until this time for the sink's answers, and sends nothing new. */
    void settle(long endNs) {
        settling = true;
        stop(endNs);
    }

    private boolean mustEnd() {
        return problem != null || deliveryCounters.slow() != null || System.nanoTime() - stopAtNs >= 0 || interrupted;
    }

    private void end() {
        interrupted |= Thread.interrupted();
        try {
            close(sink);
            if (loaded) {
                // The destination may have answered during the close.
                var unused = settle();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("Output {} failed at the end: {}", settings.name(), e.toString());
        }
        save(true);
        pacer.close();
        filler.close();
        close(deadLetters);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        finished = true;
    }

    private void close(AutoCloseable what) {
        try {
            what.close();
        } catch (Exception e) {
            LOG.warn("Output {} failed to close: {}", settings.name(), e.toString());
        }
    }

    /** True once it has ended and has closed everything. */
    boolean isFinished() {
        return finished;
    }

    /** Its state. Any thread. */
    SinkStatus status() {
        String failing = problem;
        return deliveryCounters.status(
                settings.name(), positions, loaded, counters, failing != null ? failing : stalls.problem());
    }
}
