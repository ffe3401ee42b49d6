package io.millrace.receive;

import io.millrace.agent.Agent;
import io.millrace.agent.EpochClock;
import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.policy.Policy;
import io.millrace.record.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.ListeningSocket;
import io.millrace.transport.ReadResult;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the sockets of one shard into slabs. {@link EventLoop} says which can be read, and when. One thread. */
final class Receiver implements Agent {
    /** Datagrams read from one socket, at most one read more, before the others, the writer and the event loop get their turn. */
    static final int READS_PER_CYCLE = 512;

    private final int shard;
    private final ListeningSocket[] sockets;
    private final boolean[] readable;
    private final boolean[] failed;
    private final SlabFiller filler;
    private final ShardCounters counters;
    private final EpochClock clock;
    private volatile @Nullable PolicyGate nextGate;
    private @Nullable PolicyGate gate;

    private final ReadResult nothing = new ReadResult();
    private boolean starved;

    /**
     * Makes a receiver.
     *
     * @param gate refuses some of what is read; null for none, which costs nothing
     */
    Receiver(
            int shard,
            List<ListeningSocket> sockets,
            SlabFiller filler,
            ShardCounters counters,
            EpochClock clock,
            @Nullable PolicyGate gate) {
        this.shard = shard;
        this.sockets = sockets.toArray(ListeningSocket[]::new);
        this.readable = new boolean[this.sockets.length];
        this.failed = new boolean[this.sockets.length];
        this.filler = filler;
        this.counters = counters;
        this.clock = clock;
        this.nextGate = gate;
        this.gate = gate;
    }

    /** Puts another gate in place of the one there is, from the next cycle on. Any thread. */
    void gate(@Nullable PolicyGate next) {
        nextGate = next;
    }

    /** Where frames go; also those of connections, on the same thread. */
    SlabFiller filler() {
        return filler;
    }

    /** Who may send. */
    Policy policy() {
        PolicyGate newest = nextGate;
        return newest == null ? Policy.NONE : newest.policy();
    }

    @Override
    public String roleName() {
        return "receive-" + shard;
    }

    /** Takes note that a socket can be read: the next cycles read it until it is empty. */
    void markReadable(int socket) {
        readable[socket] = true;
    }

    /** Reads what can be read, up to a bound, and submits what is due; returns the number of datagrams. */
    @Override
    public int doWork() {
        int work = 0;
        starved = false;
        PolicyGate newest = nextGate;
        gate = newest;
        for (int i = 0; i < sockets.length && !starved; i++) {
            if (readable[i]) {
                work += read(i);
            }
        }
        filler.publish();
        filler.submitIfDue(isDrained(), clock.epochNs());
        return work;
    }

    private int read(int socket) {
        DatagramReader reader = sockets[socket].socket().reader();
        int received = 0;
        // Staged datagrams are placed now: the event loop reports only what is in the socket.
        while (received < READS_PER_CYCLE || reader.staged() > 0) {
            BatchWriter batch = filler.batch();
            if (batch == null) {
                starved = true;
                break;
            }
            boolean more = readInto(batch, socket).more();
            received += batch.countSinceMark();
            int rejected = sockets[socket].socket().isLocal() ? 0 : reject(batch);
            if (reader.staged() == 0) {
                if (!more) {
                    readable[socket] = false;
                    break;
                }
            } else if (rejected > 0) {
                // What was rejected left room: the slab goes on to be filled, now or in the next cycle.
                if (received >= READS_PER_CYCLE) {
                    break;
                }
            } else {
                submitFull(batch);
            }
        }
        return received;
    }

    /** Appends one read to the batch, which is marked before, and accounts for it. */
    private ReadResult readInto(BatchWriter batch, int socket) {
        ListeningSocket listening = sockets[socket];
        boolean first = batch.count() == 0;
        batch.mark();
        ReadResult result = nothing;
        try {
            result = listening.socket().reader().read(batch, listening.input(), clock);
        } catch (IOException e) {
            counters.add(Counter.RECEIVE_ERRORS, 1);
            listening.counters().failed();
            failed[socket] = true;
        }
        long bytes = batch.payloadBytesSinceMark();
        int truncated = batch.truncatedSinceMark();
        filler.received(result.datagrams(), bytes, truncated);
        listening.counters().received(result.datagrams(), bytes, truncated);
        if (first && batch.count() > 0) {
            filler.began(clock.epochNs());
        }
        return result;
    }

    /** Takes out of the batch what the policy rejects of the last read, and counts it. */
    private int reject(BatchWriter batch) {
        PolicyGate policy = gate;
        if (policy == null) {
            return 0;
        }
        int rejected = policy.reject(batch);
        filler.rejected(policy.denied(), policy.limited());
        return rejected;
    }

    /** What is staged belongs in the next batch, for its length or its time. */
    private void submitFull(BatchWriter batch) {
        if (batch.count() == 0) {
            throw new IllegalStateException("an empty slab does not hold a datagram of max-datagram bytes");
        }
        filler.flush();
    }

    /**
     * Has what was read from a socket in a slab, and reads no more of it than that takes; false if there is no room for it now.
     */
    boolean finish(int socket) {
        DatagramReader reader = sockets[socket].socket().reader();
        readable[socket] = false;
        BatchWriter batch = filler.batch();
        for (int turn = 0; reader.staged() > 0 && batch != null && turn < READS_PER_CYCLE; turn++) {
            readInto(batch, socket);
            if (!sockets[socket].socket().isLocal()) {
                reject(batch);
            }
            if (reader.staged() > 0 && batch.count() > 0) {
                filler.flush();
            }
            batch = filler.batch();
        }
        filler.publish();
        return reader.staged() == 0;
    }

    /** Submits what is left, for the stop. */
    void flush() {
        filler.flush();
    }

    /** True if the last cycle ended for want of a slab, and there is none now either. */
    boolean isStarved() {
        return starved && filler.batch() == null;
    }

    /** True if no socket is known to have more to read. */
    boolean isDrained() {
        for (boolean more : readable) {
            if (more) {
                return false;
            }
        }
        return true;
    }

    /** True if a reader has datagrams that are in no slab yet. */
    boolean hasStaged() {
        for (ListeningSocket listening : sockets) {
            if (listening.socket().reader().staged() > 0) {
                return true;
            }
        }
        return false;
    }

    /** True if there are frames that have not been submitted: {@link #doWork()} is due again within a millisecond. */
    boolean isPending() {
        return filler.isPending();
    }

    /** True if a receive call on this socket failed since the last question. */
    boolean takeFailed(int socket) {
        boolean was = failed[socket];
        failed[socket] = false;
        return was;
    }
}
