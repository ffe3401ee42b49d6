package io.millrace.collector;

import io.millrace.agent.AgentRunner;
import io.millrace.agent.EpochClock;
import io.millrace.deliver.SinkStatus;
import io.millrace.journal.JournalWriter;
import io.millrace.receive.DropMarks;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends what a collector that runs is made of, in the order in which nothing goes uncounted. Used once. One thread. */
final class Stop {
    private static final Logger LOG = LoggerFactory.getLogger(Stop.class);

    private final CollectorSettings settings;
    private final Collector.Running open;
    private final List<JournalWriter> writers;
    private final List<AgentRunner> runners;
    private final List<AgentRunner> syncers;
    private final StopSteps steps = new StopSteps();
    private final long endNs;
    private final DropMarks marks = DropMarks.none();
    private List<SinkStatus> outputs = List.of();
    private boolean allEnded = true;

    Stop(
            CollectorSettings settings,
            Collector.Running open,
            List<JournalWriter> writers,
            List<AgentRunner> runners,
            List<AgentRunner> syncers) {
        this.settings = settings;
        this.open = open;
        this.writers = writers;
        this.runners = runners;
        this.syncers = syncers;
        this.endNs = System.nanoTime() + settings.stopTimeout().toNanos();
    }

    /** The stop after which nobody goes on. */
    void close() throws IOException {
        long outputsEndNs = endNs + settings.stopLinger().toNanos();
        leave(false, leftNs());
        steps.run(() -> open.receive().refuse());
        steps.run(() -> open.receive().drain(leftNs()));
        steps.run(this::linger);
        endReceivers();
        endHelpers();
        endWriters(outputsEndNs);
        for (JournalWriter writer : writers) {
            steps.run(writer::sync);
        }
        // Until then it may have to make room.
        endRetention();
        endWatch();
        // What was received is safe now; the outputs get what is left of the time.
        steps.run(() -> open.delivery().stop(outputsEndNs));
        steps.run(open.ledger()::close);
        steps.run(open.counters()::sync);
        release();
        steps.throwFirst();
    }

    /**
     * The stop after which another process goes on. What takes long and needs nobody to wait is done while datagrams are still read,
     * or after the directory is free.
     */
    void handOver(LongConsumer onReleased) throws IOException {
        steps.run(() -> open.delivery().settle(endNs));
        endWatch();
        endHelpers();
        syncAll();
        // Outputs may have taken all of their time; what is in memory has some of its own.
        long boundNs = settings.stopTimeout().toNanos();
        long journalEndNs = System.nanoTime() + boundNs;
        long unreadSinceNs = EpochClock.system().epochNs();
        leave(true, boundNs);
        endReceivers();
        endWriters(journalEndNs);
        endRetention();
        steps.run(open.ledger()::close);
        // From the release on, the cells are those of the next process.
        outputs = open.delivery().status();
        if (release()) {
            onReleased.accept(unreadSinceNs);
            long ns = EpochClock.system().epochNs() - unreadSinceNs;
            LOG.info("The data directory is free {} ms after the last read", TimeUnit.NANOSECONDS.toMillis(ns));
        }
        syncAll();
        steps.run(open.counters()::sync);
        steps.throwFirst();
    }

    private long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    private void leave(boolean all, long boundNs) {
        steps.run(() -> open.receive().leave(all, boundNs, marks));
    }

    /** How each output stood when the data directory was given free by a hand-over. */
    List<SinkStatus> outputs() {
        return outputs;
    }

    private void linger() throws InterruptedException {
        if (open.receive().canRefuse()) {
            Thread.sleep(settings.stopLinger().toMillis());
        }
    }

    private void endReceivers() {
        steps.run(() -> open.receive().close());
        allEnded &= open.receive().ended();
    }

    /** A writer takes blocks that it still needs by itself. */
    private void endHelpers() {
        allEnded &= steps.run(open.allocating()::close);
        for (AgentRunner syncer : syncers) {
            allEnded &= steps.run(syncer::close);
        }
    }

    private void endWriters(long untilNs) {
        for (int shard = 0; shard < writers.size(); shard++) {
            JournalWriter writer = writers.get(shard);
            // A writer whose thread does not end is still in use, and left alone; so is the directory then.
            boolean ended = runners.isEmpty() ? open.receive().ended() : steps.run(runners.get(shard)::close);
            if (ended) {
                steps.run(() -> drain(writer, untilNs));
                steps.run(writer::close);
            }
            allEnded &= ended;
        }
    }

    private void endRetention() {
        allEnded &= steps.run(open.retaining().runner()::close);
    }

    private void endWatch() {
        Collector.Watching watching = open.watching();
        if (watching != null) {
            steps.run(watching::stop);
        }
    }

    private void syncAll() {
        for (JournalWriter writer : writers) {
            steps.run(writer::sync);
        }
    }

    /** Gives the data directory free, if nothing of it is in use any more. */
    private boolean release() {
        if (!allEnded) {
            return false;
        }
        steps.run(() -> marks.write(open.directory().socketsFile()));
        return steps.run(() -> open.directory().close());
    }

    private static void drain(JournalWriter writer, long untilNs) {
        writer.doWork();
        while (!writer.isDrained() && System.nanoTime() - untilNs < 0) {
            // The append failed, and is tried again only after a while.
            LockSupport.parkNanos(1_000_000);
            writer.doWork();
        }
        if (!writer.isDrained()) {
            LOG.error(
                    "{}: the journal did not take everything; the rest is booked as crash at the next start",
                    writer.roleName());
        }
    }
}
