package io.millrace.receive;

import io.millrace.agent.Agent;
import io.millrace.agent.EpochClock;
import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.record.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.ListeningSocket;
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

    private boolean starved;
    private int refused;

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
        if (gate != newest) {
            gate = newest;
            refused = 0;
        }
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
        // What is staged finds a place now: the event loop knows of what is in the socket only.
        while (received < READS_PER_CYCLE || reader.staged() > 0) {
            BatchWriter batch = filler.batch();
            if (batch == null) {
                starved = true;
                break;
            }
            int before = batch.count();
            boolean more = read(socket, batch);
            received += batch.count() - before + refused;
            if (reader.staged() > 0 && refused > 0) {
                // What was refused has left room: the slab goes on to be filled, now or in the next cycle.
                if (received >= READS_PER_CYCLE) {
                    break;
                }
                continue;
            }
            if (reader.staged() > 0) {
                if (batch.count() == 0) {
                    throw new IllegalStateException("an empty slab does not hold a datagram of max-datagram bytes");
                }
                // What is staged belongs in the next batch, for its length or its time.
                filler.flush();
            } else if (!more) {
                readable[socket] = false;
                break;
            }
        }
        return received;
    }

    /** One read, and the account of it; true if there may be more. */
    private boolean read(int socket, BatchWriter batch) {
        ListeningSocket listening = sockets[socket];
        DatagramReader reader = listening.socket().reader();
        int staged = reader.staged();
        int count = batch.count();
        long bytes = batch.payloadBytes();
        int truncated = batch.truncated();
        if (gate != null) {
            batch.mark();
        }
        try {
            return reader.read(batch, listening.input(), clock);
        } catch (IOException e) {
            counters.add(Counter.RECEIVE_ERRORS, 1);
            listening.counters().failed();
            failed[socket] = true;
            return false;
        } finally {
            int received = batch.count() - count + reader.staged() - staged;
            long stored = batch.payloadBytes() - bytes;
            int cut = batch.truncated() - truncated;
            filler.received(received, stored, cut);
            listening.counters().received(received, stored, cut);
            if (gate != null) {
                refuse(gate, batch);
            }
            if (count == 0 && batch.count() > 0) {
                filler.began(clock.epochNs());
            }
        }
    }

    /** Takes out of the batch what the policy refuses of the last read, and counts it. */
    private void refuse(PolicyGate policy, BatchWriter batch) {
        policy.pass(batch);
        filler.refused(policy.denied(), policy.limited());
        refused = policy.denied() + policy.limited();
    }

    /**
     * Has what was read from a socket in a slab, and reads no more of it than that takes; false if there is no room for it now.
     */
    boolean finish(int socket) {
        DatagramReader reader = sockets[socket].socket().reader();
        readable[socket] = false;
        BatchWriter batch = filler.batch();
        for (int turn = 0; reader.staged() > 0 && batch != null && turn < READS_PER_CYCLE; turn++) {
            read(socket, batch);
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
