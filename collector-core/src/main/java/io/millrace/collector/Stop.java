package io.millrace.collector;

import io.millrace.internal.transport.DropMarks;
import io.millrace.sink.SinkStatus;
import io.millrace.transport.EpochClock;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stop of a running collector, in an order that leaves nothing uncounted. Used once. One thread. */
final class Stop {
    private static final Logger LOG = LoggerFactory.getLogger(Stop.class);

    /** How long connections are read at the stop, at least, if they always have something to read. */
    private static final long STREAMS_NS = TimeUnit.SECONDS.toNanos(1);

    private final CollectorSettings settings;
    private final Running open;
    private final StopSteps steps = new StopSteps();
    private final long endNs;
    private final DropMarks marks = DropMarks.none();
    private List<SinkStatus> outputs = List.of();
    private boolean allEnded = true;

    Stop(CollectorSettings settings, Running open) {
        this.settings = settings;
        this.open = open;
        this.endNs =
                System.nanoTime() + settings.get(CollectorSettings.STOP_TIMEOUT).toNanos();
    }

    /** Stops without a successor. */
    void close() throws IOException {
        open.threads().release();
        long outputsEndNs = endNs + settings.get(CollectorSettings.STOP_LINGER).toNanos();
        if (open.receive().keepsSockets()) {
            leave(false, leftNs());
        }
        stopStreams("the stop");
        steps.run(() -> open.receive().refuse());
        steps.run(() -> open.receive().drain(leftNs()));
        steps.run(this::linger);
        endReceivers();
        endHelpers();
        endWriters(outputsEndNs);
        boolean synced = open.writing().sync(steps);
        // The retention may have to free space until then.
        endRetention();
        endWatch();
        // All received datagrams are safe now; the outputs get the remaining time.
        steps.run(() -> open.delivery().stop(outputsEndNs));
        if (synced) {
            steps.run(open.ledger()::close);
        } else {
            LOG.error(
                    "The journal could not be synced, so this stop is not stored: the next start accounts for it as for a crash");
        }
        steps.run(open.counters()::sync);
        release();
        steps.throwFirst();
    }

    /** Stops with a successor process. Slow steps run while datagrams are still read, or after the directory is released. */
    void handoff(Successor successor) throws IOException {
        open.threads().release();
        steps.run(() -> open.delivery().settle(endNs));
        endWatch();
        open.writing().sync(steps);
        passStreams(successor);
        stopStreams("the hot restart, because connections of RELP, on TLS or of proxies cannot be handed off");
        // With sync level interval, clients of RELP get their last answers from the syncer.
        endHelpers();
        // Outputs may have used all of their time; the slabs in memory have a separate limit.
        long boundNs = settings.get(CollectorSettings.STOP_TIMEOUT).toNanos();
        long journalEndNs = System.nanoTime() + boundNs;
        long unreadSinceNs = EpochClock.system().epochNs();
        leave(true, boundNs);
        endReceivers();
        endWriters(journalEndNs);
        endRetention();
        steps.run(open.ledger()::close);
        // After the release, the cells belong to the next process.
        outputs = open.delivery().status();
        if (release()) {
            successor.released(unreadSinceNs);
            long ns = EpochClock.system().epochNs() - unreadSinceNs;
            LOG.info("The data directory is free {} ms after the last read", TimeUnit.NANOSECONDS.toMillis(ns));
        }
        open.writing().sync(steps);
        steps.run(open.counters()::sync);
        steps.throwFirst();
    }

    /** Senders notice nothing: their connections continue in the other process. */
    private void passStreams(Successor successor) {
        if (!successor.takesStreams()) {
            return;
        }
        steps.run(() -> {
            int passed = open.receive().passStreams(successor);
            if (passed > 0) {
                LOG.info("{} connections handed off", passed);
            }
        });
    }

    /** Reads connections until they have nothing to read, and closes them: their senders connect again. */
    private void stopStreams(String reason) {
        steps.run(() -> {
            long readNs = Math.max(
                    STREAMS_NS, settings.get(CollectorSettings.STOP_LINGER).toNanos());
            int closed = open.receive().stopStreams(Math.min(readNs, leftNs()), leftNs());
            if (closed > 0) {
                LOG.info("{} connections closed for {}", closed, reason);
            }
        });
    }

    private long leftNs() {
        return Math.max(0, endNs - System.nanoTime());
    }

    private void leave(boolean all, long boundNs) {
        steps.run(() -> open.receive().leave(all, boundNs, marks));
    }

    /** The state of each output when a handoff released the data directory. */
    List<SinkStatus> outputs() {
        return outputs;
    }

    private void linger() throws InterruptedException {
        if (open.receive().canRefuse()) {
            Thread.sleep(settings.get(CollectorSettings.STOP_LINGER).toMillis());
        }
    }

    private void endReceivers() {
        steps.run(() -> open.receive().close());
        allEnded &= open.receive().ended();
    }

    private void endHelpers() {
        allEnded &= open.writing().endHelpers(steps);
    }

    private void endWriters(long untilNs) {
        allEnded &= open.writing().endWriters(steps, open.receive()::ended, untilNs);
    }

    private void endRetention() {
        allEnded &= steps.run(open.retaining().runner()::close);
    }

    private void endWatch() {
        Running.Watching watching = open.watching();
        if (watching != null) {
            steps.run(watching::stop);
        }
    }

    /** Releases the data directory if nothing of it is in use. */
    private boolean release() {
        if (!allEnded) {
            return false;
        }
        // No thread counts from here on.
        steps.run(open.counters()::seal);
        steps.run(() -> marks.write(open.directory().socketsFile()));
        return steps.run(() -> open.directory().close());
    }
}
