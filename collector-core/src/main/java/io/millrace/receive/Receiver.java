package io.millrace.receive;

import io.millrace.agent.Agent;
import io.millrace.agent.EpochClock;
import io.millrace.counters.Counter;
import io.millrace.counters.ShardCounters;
import io.millrace.record.StagedDatagram;
import java.io.IOException;
import java.util.List;

/** Reads the sockets of one shard into slabs. {@link ReceiverLoop} says which can be read, and when. One thread. */
final class Receiver implements Agent {
    /** Datagrams read from one socket before the others, the writer and the event loop get their turn. */
    static final int READS_PER_CYCLE = 512;

    /** A socket with its input's id. */
    record Listening(ReceiveSocket socket, int input) {}

    private final int shard;
    private final Listening[] sockets;
    private final boolean[] readable;
    private final boolean[] failed;
    private final SlabFiller filler;
    private final StagedDatagram staged;
    private final ShardCounters counters;
    private final EpochClock clock;

    private boolean starved;

    Receiver(
            int shard,
            List<Listening> sockets,
            SlabFiller filler,
            int maxDatagramBytes,
            ShardCounters counters,
            EpochClock clock) {
        this.shard = shard;
        this.sockets = sockets.toArray(Listening[]::new);
        this.readable = new boolean[this.sockets.length];
        this.failed = new boolean[this.sockets.length];
        this.filler = filler;
        this.staged = new StagedDatagram(maxDatagramBytes);
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "receive-" + shard;
    }

    /** Takes note that a socket can be read: the next cycles read it until it is empty. */
    void markReadable(int socket) {
        readable[socket] = true;
    }

    /** Reads what can be read, up to a bound, and hands over what is due; returns the number of datagrams. */
    @Override
    public int doWork() {
        int work = 0;
        starved = false;
        for (int i = 0; i < sockets.length && !starved; i++) {
            if (readable[i]) {
                work += read(i);
            }
        }
        filler.publish();
        filler.handOverIfDue(isDrained(), clock.epochNs());
        return work;
    }

    private int read(int socket) {
        Listening listening = sockets[socket];
        for (int datagrams = 0; datagrams < READS_PER_CYCLE; datagrams++) {
            if (!filler.hasRoom()) {
                starved = true;
                return datagrams;
            }
            try {
                if (!listening.socket().receive(staged)) {
                    readable[socket] = false;
                    return datagrams;
                }
            } catch (IOException e) {
                counters.add(Counter.RECEIVE_ERRORS, 1);
                readable[socket] = false;
                failed[socket] = true;
                return datagrams;
            }
            long now = clock.epochNs();
            staged.receiveTimeNs(now);
            filler.append(staged, listening.input(), now);
        }
        return READS_PER_CYCLE;
    }

    /** Hands over what is left, for the stop. */
    void flush() {
        filler.flush();
    }

    /** True if the last cycle ended for want of a slab, and there is none now either. */
    boolean isStarved() {
        return starved && !filler.hasRoom();
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

    /** True if there are frames that have not been handed over: {@link #doWork()} is due again within a millisecond. */
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
