package io.millrace.internal.deliver;

import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.Backoff;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.agent.Outage;
import io.millrace.internal.counters.CounterFile;
import io.millrace.internal.deliver.OutputPacer.Wait;
import io.millrace.internal.gelf.ExpandedPayloads;
import io.millrace.internal.journal.AppendSignal;
import io.millrace.internal.journal.OutputProgress;
import io.millrace.internal.text.ErrorText;
import io.millrace.internal.text.ForeignText;
import io.millrace.journal.Journal;
import io.millrace.sink.Positions;
import io.millrace.sink.Positions.Counts;
import io.millrace.sink.Sink;
import io.millrace.sink.SinkSettings;
import io.millrace.sink.SinkStatus;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the journal to one sink: fills batches, sends them, and settles them in the order in which they were filled. One
 * thread calls {@link #doWork}; {@link #status} and {@link #stop} may be called by any.
 */
public final class Delivery implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final long STALLED_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final LongSupplier clock;
    private final SinkSettings settings;
    private final Sink sink;
    private final Journal journal;
    private final CounterFile counters;
    private final BatchFiller filler;
    private final SavedPositions saves;
    private final DeadLetters deadLetters;
    private final Redelivery redelivery;
    private final Backoff backoff;
    private final StallDetector stalls;
    private final DeliveryCounters deliveryCounters;
    private final FailureLog failures = new FailureLog(LOG);
    private Outage outage;

    private final OutputPacer pacer;
    private final InFlight inFlight;
    private @Nullable DeliveryBatch filling;
    private long retryAtNs;
    private boolean retryScheduled;
    private boolean resending;
    private volatile boolean loaded;
    private boolean interrupted;

    private volatile Positions positions = new Positions(0, new long[0], Counts.NONE);
    private volatile @Nullable String problem;
    private volatile boolean stopping;
    private volatile boolean settling;
    private volatile long stopAtNs;
    private volatile boolean finished;

    Delivery(
            SinkSettings settings,
            Sink sink,
            Journal journal,
            CounterFile counters,
            AppendSignal.Reader appends,
            ExpandedPayloads expanded) {
        this(settings, sink, journal, counters, appends, expanded, System::nanoTime, RandomGenerator.getDefault());
    }

    /** Creates a delivery with a monotonic clock, in ns, and the random numbers of its pauses. */
    Delivery(
            SinkSettings settings,
            Sink sink,
            Journal journal,
            CounterFile counters,
            AppendSignal.Reader appends,
            ExpandedPayloads expanded,
            LongSupplier clock,
            RandomGenerator random) {
        this.clock = clock;
        this.settings = settings;
        this.sink = sink;
        this.journal = journal;
        this.counters = counters;
        this.pacer = new OutputPacer(appends, settings, clock);
        this.inFlight = new InFlight(pacer::answered, clock);
        this.filler = new BatchFiller(settings, sink, journal, expanded, clock);
        this.saves =
                new SavedPositions(settings.name(), PositionFile.of(journal.dataDirectory(), settings.name()), clock);
        this.stalls = new StallDetector(settings.name(), counters, clock);
        this.deadLetters = new DeadLetters(journal, settings);
        this.redelivery = new Redelivery(journal, deadLetters, pacer::wake);
        this.deliveryCounters = new DeliveryCounters(sink, deadLetters, clock);
        this.outage = new Outage(LOG, "Output " + name());
        this.backoff = new Backoff(settings.minRetry(), settings.maxRetry(), random);
    }

    /** Continues the outage of an earlier delivery of the same name. Before the first {@link #doWork}. */
    void continues(Delivery earlier) {
        outage = earlier.outage;
    }

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
        if (problem == null || clock.getAsLong() - retryAtNs >= 0) {
            try {
                open();
                work = settle() + sendAgain() + (settling ? 0 : sendNew());
                // What the sink acknowledged during the call.
                work += settle();
                if (problem != null && !resending && !inFlight.hasFailed()) {
                    backoff.reset();
                    problem = null;
                }
                endOutage();
            } catch (InterruptedException e) {
                // The flag is set again at the end: an interrupted thread could not write the positions.
                interrupted = true;
                stop(clock.getAsLong());
            } catch (IOException | RuntimeException | Error e) {
                log(e);
                filler.close();
                failed(ErrorText.of(e));
            }
        }
        saves.save(positions, false);
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
        long nowNs = clock.getAsLong();
        long saveNs = saves.dueNs(positions, nowNs);
        if (stopping) {
            pacer.plan(work > 0 || finished ? Wait.NONE : Wait.END, saveNs);
        } else if (problem != null && retryAtNs - nowNs > 0) {
            pacer.plan(Wait.RETRY, Math.min(saveNs, retryAtNs - nowNs));
        } else if (inFlight.hasFailed()) {
            pacer.plan(inFlight.isAwaitingAnswer() ? Wait.ANSWER : Wait.NONE, saveNs);
        } else if (isReady() || (redelivery.isDue() && !inFlight.isEmpty())) {
            pacer.plan(Wait.ANSWER, saveNs);
        } else if (!filler.isCaughtUp() || redelivery.isDue()) {
            pacer.plan(Wait.NONE, 0);
        } else if (positions.isFinished() && inFlight.isEmpty()) {
            pacer.plan(Wait.RETRY, saveNs);
        } else if (work == 0 && !pacer.hasGrown() && stalls.isStalled(filler.next(), positions)) {
            pacer.plan(Wait.RETRY, STALLED_NS);
        } else {
            if (inFlight.isEmpty()) {
                deliveryCounters.caughtUp();
            }
            long limitNs = Math.min(inFlight.isEmpty() ? saveNs : SavedPositions.SAVE_NS, filler.dueNs(filling));
            pacer.plan(Wait.MORE, limitNs);
        }
    }

    /** Loads the positions once; opens the cursor, also after a failure, at the first datagram that is in no batch. */
    private void open() throws IOException {
        if (!loaded) {
            Positions found = saves.load(settings, journal, counters);
            filler.beginWith(found);
            positions = found;
            sink.begin();
            saves.begin();
            loaded = true;
        }
        filler.open();
    }

    private boolean isReady() {
        return filling != null && filler.isReady(filling);
    }

    /** The positions on disk, see {@link SavedPositions#progress}. Any thread. */
    OutputProgress acknowledged() {
        return saves.progress();
    }

    /** Settles batches that are done, in their order. */
    private int settle() throws IOException {
        int settled = 0;
        for (DeliveryBatch batch = inFlight.oldestDone(); batch != null; batch = inFlight.oldestDone()) {
            if (redelivery.owns(batch)) {
                redelivery.settle(batch);
            } else {
                account(batch);
            }
            deliveryCounters.settled(batch);
            inFlight.release(batch);
            settled++;
            resending = false;
        }
        deliveryCounters.oldest(inFlight.oldest(), filling);
        deliveryCounters.reportSlow(outage, settled > 0, positions, counters);
        return settled;
    }

    /** Moves the position over a batch, and counts its datagrams. */
    private void account(DeliveryBatch batch) throws IOException {
        int refused = deadLetters.write(batch);
        deliveryCounters.refused(batch);
        filler.delivered(batch.datagrams - refused);
        Positions before = positions;
        positions = batch.after(before, refused);
        if (positions.isFinished() && !before.isFinished()) {
            DeliveryCounters.logFinished(settings, positions.counts().missing());
        }
    }

    /** Resends failed batches once the sink has answered for all batches, so that they keep their order. */
    private int sendAgain() throws InterruptedException {
        DeliveryBatch firstFailed = inFlight.firstFailed();
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
        for (DeliveryBatch batch : inFlight) {
            if (batch.state() == DeliveryBatch.State.FAILED) {
                send(batch);
                if (batch.state() == DeliveryBatch.State.FAILED) {
                    break;
                }
            }
        }
        return 1;
    }

    /** Fills a batch, and sends it if it is ready and the sink can take another batch. */
    private int sendNew() throws InterruptedException {
        boolean alternates = !stopping && redelivery.isDue();
        if (alternates && !redelivery.takePause()) {
            return sendDeadLetters();
        }
        DeliveryBatch batch = filling == null ? inFlight.take(sink.maxInFlight()) : filling;
        filling = batch;
        if (batch == null) {
            return 0;
        }
        int count = filler.fill(batch) + (alternates ? 1 : 0);
        if (filler.isReady(batch) && inFlight.size() < sink.maxInFlight() && !resending && !inFlight.hasFailed()) {
            filling = null;
            begin(batch);
            count++;
        }
        if (count > 0) {
            stalls.advanced();
        }
        return count;
    }

    /** Sends dead letters once nothing else is in flight: if they fail, they are resent before anything else. */
    private int sendDeadLetters() throws InterruptedException {
        DeliveryBatch batch = inFlight.isEmpty() ? inFlight.take(sink.maxInFlight()) : null;
        if (batch == null) {
            return 0;
        }
        if (!redelivery.fill(batch, filler)) {
            inFlight.putBack(batch);
            return 0;
        }
        begin(batch);
        return 1;
    }

    /** Sends a batch for the first time; it is done if there is nothing to send. */
    private void begin(DeliveryBatch batch) throws InterruptedException {
        batch.journalId = positions.journalId();
        batch.nextSequences = filler.next();
        batch.sentNs = clock.getAsLong();
        deliveryCounters.sent(batch);
        inFlight.add(batch);
        if (batch.openCount() > 0) {
            send(batch);
        } else {
            batch.sent();
            batch.done();
        }
    }

    private void send(DeliveryBatch batch) throws InterruptedException {
        batch.sent();
        batch.attemptNs = clock.getAsLong();
        try {
            sink.send(batch);
        } catch (IOException | RuntimeException | Error e) {
            log(e);
            batch.failedUnlessEnded(ErrorText.of(e));
        } catch (InterruptedException e) {
            batch.failedUnlessEnded("interrupted");
            throw e;
        }
    }

    private void log(Throwable e) {
        FatalErrors.rethrow(e);
        if (!(e instanceof IOException)) {
            failures.report("Output " + settings.name() + " failed and is retried", e);
        }
    }

    private void failed(@Nullable String cause) {
        String text = ForeignText.shown(String.valueOf(cause));
        outage.failed(text, deliveryCounters.pending(positions, counters));
        problem = text;
        retryAtNs = clock.getAsLong() + backoff.nextNs();
    }

    /** After a reload, the outage of the delivery before is over when this one has delivered something, or has nothing to deliver. */
    private void endOutage() {
        boolean isFailing = problem != null || resending || inFlight.hasFailed() || deliveryCounters.slow() != null;
        long pending = isFailing || !outage.isOn() ? 0 : deliveryCounters.pending(positions, counters);
        if (!isFailing && (pending == 0 || deliveryCounters.hasDelivered())) {
            outage.over(pending);
        }
    }

    Redelivery redelivery() {
        return redelivery;
    }

    /** Begins the stop: the output delivers what is in the journal until this time, and ends at once if it cannot deliver. */
    void stop(long endNs) {
        stopAtNs = endNs;
        stopping = true;
        pacer.wake();
    }

    /** Saves the positions of an output that does not end, and prevents it from doing so later. Any thread. */
    void abandon() {
        saves.abandon(positions);
    }

    /** Begins the stop: the output waits until this time for the sink's answers, and sends nothing new. */
    void settle(long endNs) {
        settling = true;
        stop(endNs);
    }

    private boolean mustEnd() {
        return problem != null || deliveryCounters.slow() != null || clock.getAsLong() - stopAtNs >= 0 || interrupted;
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
        saves.save(positions, true);
        redelivery.end();
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

    /** How many datagrams were acknowledged; {@link #status} has it too, with much more. Any thread. */
    long acked() {
        return positions.counts().acked();
    }

    /** Its state. Any thread. */
    SinkStatus status() {
        String failing = problem;
        String shown = failing != null ? failing : stalls.problem();
        return deliveryCounters.status(settings.name(), positions, loaded, counters, shown);
    }
}
