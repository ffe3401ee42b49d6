package io.millrace.internal.receive;

import io.millrace.collector.Successor;
import io.millrace.collector.Successor.PassedStream;
import io.millrace.internal.transport.stream.StreamConnections;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Ends the connections of an event loop. Any other thread. */
final class StreamStop {
    private static final long RETRY_NS = 100_000;
    private static final long POLL_MS = 2;
    /** How long clients of RELP have to close their ends, which spares them to send again what was acknowledged last. */
    private static final long FAREWELL_NS = 200_000_000;

    /** How many connections are passed on at a time: their descriptors count twice meanwhile. */
    private static final int PASSED_AT_ONCE = 200;

    private final StreamConnections connections;
    private final EventLoopCalls calls;
    private final Runnable makeRoom;
    private final Runnable flush;

    StreamStop(StreamConnections connections, EventLoopCalls calls, Runnable makeRoom, Runnable flush) {
        this.connections = connections;
        this.calls = calls;
        this.makeRoom = makeRoom;
        this.flush = flush;
    }

    /**
     * Ends those of all event loops: closes the listeners, has the connections read until they have nothing to read, ends the RELP
     * sessions, and closes the connections.
     *
     * @param readNs how long to read
     * @param boundNs how long it may take to find room for what was read
     * @return how many connections were closed
     */
    static int all(List<StreamStop> loops, long readNs, long boundNs) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        for (StreamStop loop : loops) {
            loop.stopAccepting();
        }
        await(loops, StreamConnections::isDrained, readNs);
        int closed = endSessions(loops, boundNs / 2);
        for (StreamStop loop : loops) {
            closed += loop.close(Math.max(0, boundNs - (System.nanoTime() - startNs)));
        }
        return closed;
    }

    /**
     * Passes the listeners and connections of all event loops on to another process.
     *
     * @return how many connections
     * @throws IOException if that process does not take them: what was offered to it is closed and counted, and the rest
     *     stays open
     */
    static int passOn(List<StreamStop> loops, Successor to) throws IOException {
        int connections = 0;
        for (StreamStop loop : loops) {
            List<PassedStream> next = loop.passOn();
            while (!next.isEmpty()) {
                try {
                    to.take(next);
                } catch (IOException e) {
                    loop.lost(next);
                    throw e;
                } finally {
                    PassedStream.close(next);
                }
                connections +=
                        (int) next.stream().filter(PassedStream::isConnection).count();
                next = loop.passOn();
            }
        }
        return connections;
    }

    private void lost(List<PassedStream> streams) throws IOException {
        calls.call(0, () -> {
            connections.handoff().lost(streams);
            return true;
        });
    }

    private List<PassedStream> passOn() throws IOException {
        AtomicBoolean abandoned = new AtomicBoolean();
        try {
            return calls.call(
                    0, () -> abandoned.get() ? List.of() : connections.handoff().passOn(PASSED_AT_ONCE));
        } catch (IOException e) {
            // It must not run later, when nobody waits for its result.
            abandoned.set(true);
            throw e;
        }
    }

    /** Answers what clients of RELP wait for, and tells them that the server closes; returns how many have closed their ends. */
    private static int endSessions(List<StreamStop> loops, long boundNs) throws IOException, InterruptedException {
        if (all(loops, connections -> connections.sessions().isEmpty())) {
            return 0;
        }
        int before = 0;
        for (StreamStop loop : loops) {
            before += loop.refuseCommands();
        }
        await(loops, connections -> connections.sessions().isAnswered(), boundNs);
        for (StreamStop loop : loops) {
            loop.sayServerClose();
        }
        await(loops, connections -> connections.sessions().isEmpty(), Math.min(boundNs, FAREWELL_NS));
        int after = 0;
        for (StreamStop loop : loops) {
            after += loop.calls.call(0, loop.connections::count);
        }
        return before - after;
    }

    private int refuseCommands() throws IOException {
        return calls.call(0, () -> {
            int count = connections.count();
            connections.sessions().refuse();
            flush.run();
            return count;
        });
    }

    private void sayServerClose() throws IOException {
        calls.call(0, () -> {
            connections.sessions().sayServerClose();
            return true;
        });
    }

    /** Waits for a condition of all loops. */
    private static void await(List<StreamStop> loops, Predicate<StreamConnections> condition, long boundNs)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        while (!all(loops, condition) && System.nanoTime() - startNs < boundNs) {
            Thread.sleep(POLL_MS);
        }
    }

    private static boolean all(List<StreamStop> loops, Predicate<StreamConnections> condition) throws IOException {
        for (StreamStop loop : loops) {
            if (!loop.calls.call(0, () -> condition.test(loop.connections))) {
                return false;
            }
        }
        return true;
    }

    private void stopAccepting() throws IOException {
        calls.call(0, () -> {
            connections.stopAccepting();
            return true;
        });
    }

    private int close(long boundNs) throws IOException {
        return calls.call(boundNs, () -> {
            int count = connections.count();
            long startNs = System.nanoTime();
            connections.closeAll();
            connections.resume();
            while (!connections.isSettled() && System.nanoTime() - startNs < boundNs) {
                makeRoom.run();
                LockSupport.parkNanos(RETRY_NS);
                connections.resume();
            }
            connections.close();
            flush.run();
            return count;
        });
    }
}
