package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.agent.CpuAffinity;
import io.millrace.internal.agent.FailureLog;
import io.millrace.internal.agent.FatalErrors;
import io.millrace.internal.agent.NeededThreads;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.receive.EventLoopState.State;
import io.millrace.internal.transport.DropMarks;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.SocketSettings;
import io.millrace.internal.transport.Transport;
import io.millrace.internal.transport.stream.PassOutcome;
import io.millrace.internal.transport.stream.StreamConnections;
import io.millrace.internal.transport.stream.StreamListener;
import io.millrace.transport.EpochClock;
import io.netty.channel.IoEventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop of a receiver. When a socket is readable, it runs one cycle: the receiver, and with threading {@code shared}
 * the journal writer after it. A cycle runs on the loop's thread; other threads may call the package-private methods.
 * Without a free slab (back-pressure), it disables the events of the sockets and tries again every millisecond.
 */
final class EventLoop {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoop.class);
    private static final long RETRY_NS = 1_000_000;

    private final Receiver receiver;
    private final PassOutcome outcome;
    private final LoopAgent receiving;
    private final LoopAgent writing;
    private final ShardCells counters;
    private final MultiThreadIoEventLoopGroup group;
    private final IoEventLoop loop;
    private final EventLoopSockets sockets;
    private final EventLoopCalls calls;
    private final SocketDrops drops;

    private final ReadCoalescer coalescer;
    private final PassSchedule passes;
    private final Runnable retryCycle;
    private final EventLoopState state = new EventLoopState();
    private @Nullable Future<?> retry;
    private final DeadlineTicks deadlines;
    private boolean ended;
    /** The counter at the end of the last pass. */
    private long bytesBefore;

    private final BackPressure backPressure;
    private final StreamConnections streams;
    private @Nullable Future<?> ticks;

    /**
     * Creates the loop and its thread, which waits until {@link #start()}.
     *
     * @param sharedWriter the journal writer, to run on the same thread after each cycle; null if it has its own thread
     * @param threads get the loop's thread
     * @param receiveBufferBytes the smallest receive buffer of its sockets
     */
    EventLoop(
            Transport transport,
            List<ListeningSocket> sockets,
            List<StreamListener> listeners,
            Receiver receiver,
            @Nullable Agent sharedWriter,
            ShardCells counters,
            ReceiveStage.Settings settings,
            NeededThreads threads,
            int receiveBufferBytes,
            int number,
            int receivers) {
        SocketSettings socket = settings.socket();
        this.receiver = receiver;
        this.outcome = receiver.outcome();
        this.retryCycle = survivor(this::cycle);
        FailureLog failures = new FailureLog(LOG);
        this.receiving = LoopAgent.ofReceiver(receiver, failures, counters);
        this.writing = LoopAgent.ofWriter(sharedWriter, failures, counters);
        this.counters = counters;
        this.bytesBefore = counters.get(Counter.RECEIVED_BYTES);
        long latencyNs = socket.busyPoll() ? 0 : settings.latency().toNanos();
        this.coalescer = new ReadCoalescer(receiveBufferBytes, latencyNs, System.nanoTime());
        this.drops = new SocketDrops(sockets, counters, !socket.gro());
        counters.set(Counter.AFTER_STOP_UNKNOWN, transport.canRefuse() && !socket.gro() ? 0 : 1);
        ThreadFactory factory = task -> {
            Thread thread = new FastThreadLocalThread(
                    CpuAffinity.bind(settings.pinning(), number, threads.guarded(task)),
                    "millrace-" + receiver.roleName());
            threads.add(thread);
            return thread;
        };
        this.group = new MultiThreadIoEventLoopGroup(1, factory, transport.ioHandlerFactory(socket.busyPoll()));
        this.loop = group.next();
        this.passes = new PassSchedule(loop, survivor(this::pass));
        this.deadlines = new DeadlineTicks(loop, this::onDeadlineTick);
        this.sockets = new EventLoopSockets(sockets, loop);
        this.calls = new EventLoopCalls(loop, receiver.roleName());
        this.backPressure = new BackPressure(counters);
        StreamSlabs slabs = new StreamSlabs(receiver, writing::run, passes::schedule, this::passInTime);
        this.streams = new StreamConnections(listeners, slabs, counters, EpochClock.system(), receivers, outcome);
    }

    /** A task of the loop: Netty would swallow a fatal error, and end the repetition after any. */
    private Runnable survivor(Runnable task) {
        return FatalErrors.survivor(receiver.roleName(), LOG, task);
    }

    /** Registers the sockets and starts to read. */
    void start() throws IOException {
        calls.call(0, () -> {
            sockets.register(this::onReadable);
            sockets.resume();
            streams.start(loop);
            return null;
        });
        ticks = loop.scheduleWithFixedDelay(survivor(this::tick), 1, 1, TimeUnit.SECONDS);
    }

    private void onReadable(int socket) {
        receiver.markReadable(socket);
        passes.schedule();
    }

    /** Between reads of many connections: datagrams may have come after the event loop asked for events. */
    private void passInTime() {
        if (passes.isOverdue() && state.isRunning()) {
            passes.postpone();
            markAllReadable(0, sockets.count());
            cycle();
        }
    }

    private void pass() {
        passes.begin();
        // While starved, only the scheduled retry runs cycles. An event may still arrive.
        if (state.isRunning()) {
            long startNs = System.nanoTime();
            long limitNs = coalescer.passNs(startNs);
            cycle();
            while (state.isRunning() && !receiver.isDrained() && System.nanoTime() - startNs < limitNs) {
                cycle();
            }
            streams.endPass();
            coalesce(startNs);
            outcome.clear();
            bytesBefore = counters.get(Counter.RECEIVED_BYTES);
        }
    }

    /** Runs one cycle, which adds to the outcome. */
    private void cycle() {
        if (state.isClosed()) {
            return;
        }
        receiving.run();
        writing.run();
        streams.resume();
        streams.publish();
        pauseAfterErrors();
        if (receiver.isStarved() || streams.isStarved()) {
            enterBackPressure();
        } else {
            leaveBackPressure();
        }
        if (receiver.isPending() && state.isActive()) {
            deadlines.start();
        }
        if (receiver.hasStaged() && state.isRunning()) {
            // The cycle ended without a free slab, and now there is one; epoll does not report the socket again.
            passes.schedule();
        }
    }

    private void coalesce(long startNs) {
        boolean emptied = !outcome.hasMore() && receiver.isDrained() && state.isRunning();
        long nowNs = System.nanoTime();
        long bytes = counters.get(Counter.RECEIVED_BYTES) - bytesBefore;
        coalescer.read(outcome.receivedCount(), bytes, outcome.localByteCount());
        long sleepNs = coalescer.sleepNs(emptied, outcome.isAwaited(), receiver.isPending(), startNs, nowNs);
        if (sleepNs > 0) {
            LockSupport.parkNanos(sleepNs);
            nowNs = System.nanoTime();
        }
        coalescer.slept(nowNs);
    }

    private boolean onDeadlineTick() {
        boolean due = receiver.isPending() && state.isRunning();
        if (due) {
            cycle();
        }
        return due;
    }

    private void pauseAfterErrors() {
        for (int i = 0; i < sockets.count(); i++) {
            boolean failedNow = receiver.hasFailed(i);
            if (failedNow && state.isDraining() && !sockets.isLeft(i)) {
                // The drain has a time limit, so it can retry to read what is queued behind the failure.
                receiver.markReadable(i);
                LockSupport.parkNanos(RETRY_NS);
            } else if (failedNow) {
                sockets.pauseAfterError(i, state::isRunning);
            }
        }
    }

    /** Disables the events of the sockets until there is a free slab. */
    private void enterBackPressure() {
        if (backPressure.add()) {
            sockets.pause();
        }
        if (state.isActive()) {
            state.become(State.STARVED);
            retry = loop.schedule(retryCycle, RETRY_NS, TimeUnit.NANOSECONDS);
        }
    }

    /** Enables the events of the sockets, because there is a free slab. */
    private void leaveBackPressure() {
        backPressure.end();
        if (state.isStarved()) {
            state.become(State.RUNNING);
            sockets.resume();
        }
    }

    /** Runs every second: polls the drops, and runs a cycle to retry what failed. */
    private void tick() {
        drops.poll();
        streams.tick();
        boolean retries = retry != null && !retry.isDone();
        if (state.isRunning()) {
            sockets.resume();
        }
        if (state.isRunning() || (state.isStarved() && !retries)) {
            // This also resumes a receiver whose retry could not be scheduled.
            cycle();
        } else {
            writing.run();
        }
    }

    /**
     * Stops reading sockets that another process continues to read, and stores the marks of their drops. Datagrams that were
     * read are moved to slabs; queued ones stay in the sockets.
     *
     * @param all also sockets that are not kept, because another process has duplicates
     * @param boundNs the time limit to find room for what was read, in ns
     * @return false if the time limit was reached
     */
    boolean leave(boolean all, long boundNs, DropMarks marks) throws IOException {
        return calls.call(boundNs, () -> {
            long endNs = System.nanoTime() + boundNs;
            boolean finished = true;
            for (int i = 0; i < sockets.count(); i++) {
                if (sockets.isLocal(i)) {
                    finished &= !all || (sockets.refuse(i) && readAll(i, i + 1, endNs - System.nanoTime()));
                } else if (all || sockets.isKept(i)) {
                    sockets.leave(i);
                    finished &= finish(i, endNs);
                }
            }
            drops.poll();
            for (int i = 0; i < sockets.count(); i++) {
                if (sockets.isLeft(i)) {
                    drops.leave(i, marks);
                }
            }
            receiver.flush();
            return finished;
        });
    }

    private boolean finish(int socket, long endNs) {
        boolean finished = receiver.finish(socket);
        while (!finished && System.nanoTime() - endNs < 0) {
            writing.run();
            LockSupport.parkNanos(RETRY_NS / 10);
            finished = receiver.finish(socket);
        }
        return finished;
    }

    /** Returns the stop of its connections. */
    StreamStop streamStop() {
        return new StreamStop(streams, calls, writing::run, receiver::flush);
    }

    /**
     * First step of the stop: refuses and counts everything that arrives from now on.
     *
     * @return false if a socket cannot refuse
     * @throws IOException if the loop does not answer; it is then unknown whether the sockets refuse
     */
    boolean refuse() throws IOException {
        boolean all = false;
        try {
            all = calls.call(0, () -> {
                drops.poll();
                boolean refused = sockets.refuseAll();
                drops.countAfterStop(refused);
                return refused;
            });
            return all;
        } finally {
            if (!all) {
                counters.set(Counter.AFTER_STOP_UNKNOWN, 1);
            }
        }
    }

    /**
     * Second step of the stop: reads the sockets until each is empty, and submits everything; after the time limit in ns, counts
     * what is left as dropped. Returns false if a socket was not empty even then.
     */
    boolean drain(long boundNs) throws IOException {
        return calls.call(boundNs, () -> {
            state.become(State.DRAINING);
            cancel(retry);
            receiver.release();
            try {
                return readAll(0, sockets.count(), boundNs);
            } finally {
                // The sockets are not read again: nothing is added to the slabs after this flush.
                sockets.pause();
                receiver.flush();
            }
        });
    }

    /** Reads a range of the sockets until each is empty; false if the time limit was reached, and another second to discard. */
    private boolean readAll(int from, int to, long boundNs) {
        long startNs = System.nanoTime();
        boolean empty;
        do {
            markAllReadable(from, to);
            outcome.clear();
            cycle();
            // A short read may have another cause: only an empty read means an empty socket.
            empty = outcome.receivedCount() == 0 && receiver.isDrained();
            if (receiver.isStarved()) {
                LockSupport.parkNanos(RETRY_NS / 10);
            }
        } while (!empty && System.nanoTime() - startNs < boundNs);
        return empty || receiver.discard(from, to);
    }

    private void markAllReadable(int from, int to) {
        for (int i = from; i < to; i++) {
            if (!sockets.isLeft(i)) {
                receiver.markReadable(i);
            }
        }
    }

    /**
     * Last step of the stop: polls the drops once more, closes the sockets, and ends the thread.
     *
     * @throws IOException if a socket did not close, or the thread does not end
     */
    void close() throws IOException {
        try {
            calls.call(0, () -> {
                state.become(State.CLOSED);
                cancel(ticks);
                deadlines.stop();
                cancel(retry);
                drops.poll();
                receiver.flush();
                sockets.close();
                return null;
            });
        } finally {
            ended = group.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                    .awaitUninterruptibly(EventLoopCalls.GRACE_NS / 1_000_000);
            if (!ended) {
                LOG.error("{} does not end: its journal writer is not closed", receiver.roleName());
            }
        }
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    /** True if the thread has ended. The shared writer is then no longer used. */
    boolean ended() {
        return ended;
    }

    /** True if the thread has ended before the stop, so that nothing is received. Any thread. */
    boolean isDead() {
        return group.isShuttingDown() && state.isActive();
    }

    /** Counts the time in which there is no free slab. The loop's thread. */
    static final class BackPressure {
        private static final long NONE = Long.MIN_VALUE;

        private final ShardCells counters;
        /** The time up to which it was counted; {@link #NONE} if there is a free slab. */
        private long sinceNs = NONE;

        BackPressure(ShardCells counters) {
            this.counters = counters;
        }

        /** There is no free slab; true if there was one until now. */
        boolean add() {
            long nowNs = System.nanoTime();
            boolean begins = sinceNs == NONE;
            if (!begins) {
                counters.add(Counter.BACK_PRESSURE_NS, nowNs - sinceNs);
            }
            sinceNs = nowNs;
            return begins;
        }

        /** There is a free slab. */
        void end() {
            if (sinceNs != NONE) {
                counters.add(Counter.BACK_PRESSURE_NS, System.nanoTime() - sinceNs);
                sinceNs = NONE;
            }
        }
    }
}
