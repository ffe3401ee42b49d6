package io.millrace.internal.receive;

import io.millrace.collector.Counter;
import io.millrace.collector.DropReason;
import io.millrace.internal.agent.Agent;
import io.millrace.internal.counters.ShardCells;
import io.millrace.internal.policy.Policy;
import io.millrace.internal.record.FrameWriter;
import io.millrace.internal.transport.ListeningSocket;
import io.millrace.internal.transport.stream.PassOutcome;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the sockets of one shard into slabs. {@link EventLoop} marks readable sockets and runs the cycles. One thread. */
final class Receiver implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Receiver.class);

    /** The limit per socket and cycle in datagrams, so that other sockets, the writer and the event loop run. One read may exceed it. */
    static final int READS_PER_CYCLE = 512;

    private static final long DISCARD_NS = TimeUnit.SECONDS.toNanos(1);

    private final int shard;
    private final ListeningSocket[] sockets;
    private final boolean[] readable;
    private final boolean[] failed;
    private final SlabFiller filler;
    private final ShardCells counters;
    private final EpochClock clock;
    private final PassOutcome outcome = new PassOutcome();
    private final @Nullable ChunkGate chunks;
    private boolean releasing;
    private volatile @Nullable PolicyGate nextGate;
    private @Nullable PolicyGate gate;

    private final ReadResult nothing = new ReadResult();
    private boolean starved;

    /**
     * Creates a receiver.
     *
     * @param gate applies the policy; null for no policy, which costs nothing
     */
    Receiver(
            int shard,
            List<ListeningSocket> sockets,
            SlabFiller filler,
            ShardCells counters,
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
        boolean chunked = sockets.stream().anyMatch(ListeningSocket::mergesChunks);
        this.chunks = chunked ? new ChunkGate(filler, clock) : null;
    }

    /** Replaces the policy gate, from the next cycle on. Any thread. */
    void gate(@Nullable PolicyGate next) {
        nextGate = next;
    }

    /** What the sockets have brought since the last pass. */
    PassOutcome outcome() {
        return outcome;
    }

    /** Returns the slab filler. Connections on the same thread also use it. */
    SlabFiller filler() {
        return filler;
    }

    /** Returns the current policy. */
    Policy policy() {
        PolicyGate newest = nextGate;
        return newest == null ? Policy.NONE : newest.policy();
    }

    @Override
    public String roleName() {
        return "receive-" + shard;
    }

    /** Marks a socket as readable: the next cycles read it until it is empty. */
    void markReadable(int socket) {
        readable[socket] = true;
    }

    /** Reads the readable sockets, up to a limit, and submits the slab if it is due; returns the number of datagrams. */
    @Override
    public int doWork() {
        int work = 0;
        starved = false;
        Arrays.fill(failed, false);
        PolicyGate newest = nextGate;
        gate = newest;
        for (int i = 0; i < sockets.length && !starved; i++) {
            if (readable[i]) {
                work += read(i);
            }
        }
        if (chunks != null) {
            writeChunks(chunks);
        }
        filler.publish();
        filler.submitIfDue(isDrained(), clock.epochNs());
        outcome.received(work);
        return work;
    }

    /** Appends messages that are complete, and chunks that have waited for too long. */
    private void writeChunks(ChunkGate gate) {
        gate.expire();
        if (releasing && isRead()) {
            gate.releaseAll();
        }
        starved |= !gate.write();
    }

    /** From now on, chunks wait only while there is something to read. */
    void release() {
        releasing = true;
    }

    private int read(int socket) {
        DatagramReader reader = sockets[socket].socket().reader();
        int received = 0;
        // Staged datagrams are appended now, because the event loop reports only those in the socket.
        while (received < READS_PER_CYCLE || reader.staged() > 0) {
            FrameWriter batch = filler.acquire();
            if (batch == null) {
                starved = true;
                break;
            }
            boolean more = readInto(batch, socket).more();
            received += batch.countSinceMark();
            int rejected = reject(batch) + takeChunks(batch, socket);
            if (reader.staged() == 0) {
                if (!more) {
                    readable[socket] = false;
                    break;
                }
            } else if (rejected > 0) {
                // Rejected datagrams left room: the slab is filled further, now or in the next cycle.
                if (received >= READS_PER_CYCLE) {
                    break;
                }
            } else {
                submitFull(batch);
            }
        }
        if (received > 0 && sockets[socket].socket().isLocal()) {
            // The queue of a Unix datagram socket holds ten datagrams (net.unix.max_dgram_qlen): its senders would
            // block.
            outcome.awaited();
        }
        return received;
    }

    /** Marks the batch, appends one read to it, and counts the read. */
    private ReadResult readInto(FrameWriter batch, int socket) {
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

    /** Removes the datagrams of the last read that the policy rejects, and counts them. */
    private int reject(FrameWriter batch) {
        PolicyGate policy = gate;
        return policy == null ? 0 : policy.reject(batch, filler);
    }

    private int takeChunks(FrameWriter batch, int socket) {
        return chunks != null && sockets[socket].mergesChunks() ? chunks.take(batch) : 0;
    }

    /** Submits the slab. Its batch has no room for the staged datagram, or the datagram's time is too far from it. */
    private void submitFull(FrameWriter batch) {
        if (batch.count() == 0) {
            throw new IllegalStateException("an empty slab has no room for a datagram of max-datagram bytes");
        }
        filler.flush();
    }

    /**
     * Moves the staged datagrams of a socket to slabs, and reads no more than that needs; false if there is no free slab.
     */
    boolean finish(int socket) {
        DatagramReader reader = sockets[socket].socket().reader();
        readable[socket] = false;
        FrameWriter batch = filler.acquire();
        for (int turn = 0; reader.staged() > 0 && batch != null && turn < READS_PER_CYCLE; turn++) {
            readInto(batch, socket);
            reject(batch);
            takeChunks(batch, socket);
            if (reader.staged() > 0 && batch.count() > 0) {
                filler.flush();
            }
            batch = filler.acquire();
        }
        boolean written = true;
        if (chunks != null) {
            chunks.releaseAll();
            written = chunks.write();
        }
        filler.publish();
        return reader.staged() == 0 && written;
    }

    /**
     * Reads sockets until they are empty, and counts as dropped what it reads. For the end of the stop, when the journal took no
     * more: datagrams that stay in a closed socket are in no ledger.
     *
     * @param from the first socket
     * @param to the socket after the last one
     * @return false if that takes more than a second, or the journal works and a socket that cannot refuse datagrams is not empty
     */
    boolean discard(int from, int to) {
        boolean blocked = counters.get(Counter.JOURNAL_BLOCKED) != 0;
        if (!blocked && counters.get(Counter.AFTER_STOP_UNKNOWN) != 0) {
            return isRead();
        }
        long endNs = System.nanoTime() + DISCARD_NS;
        FrameWriter scratch = new FrameWriter(ByteBuffer.allocateDirect(filler.slabBytes()));
        long discarded = 0;
        for (int i = from; i < to; i++) {
            long before = discarded;
            while (readable[i] && System.nanoTime() - endNs < 0) {
                discarded += discardOne(sockets[i], scratch, i);
            }
            sockets[i].counters().dropped(discarded - before);
        }
        if (discarded > 0) {
            counters.add(blocked ? DropReason.JOURNAL_FULL.counter() : DropReason.AFTER_STOP.counter(), discarded);
            LOG.warn(
                    "{} datagrams waited in sockets when the time to stop was over: they are counted as {}",
                    discarded,
                    blocked ? "journalFull" : "afterStop");
        }
        return isRead();
    }

    /** One read; returns the number of datagrams that it took from the socket. */
    private int discardOne(ListeningSocket listening, FrameWriter scratch, int socket) {
        DatagramReader reader = listening.socket().reader();
        scratch.reset();
        // A read that only moves staged datagrams, or a short one, does not show that the socket is empty.
        boolean staged = reader.staged() > 0;
        try {
            int datagrams = reader.read(scratch, listening.input(), clock).datagrams();
            readable[socket] = staged || datagrams > 0;
            return datagrams;
        } catch (IOException e) {
            counters.add(Counter.RECEIVE_ERRORS, 1);
            listening.counters().failed();
            LockSupport.parkNanos(1_000_000);
            return 0;
        }
    }

    /** Submits the remaining frames, for the stop. */
    void flush() {
        if (releasing && chunks != null) {
            // Under constant load the sockets never run empty, and the time of the drain ends.
            chunks.releaseAll();
            chunks.write();
            filler.publish();
        }
        filler.flush();
    }

    /** True if there was no free slab in the last cycle, and there is still none. */
    boolean isStarved() {
        return starved && filler.acquire() == null;
    }

    /** True if no socket is known to have more to read, and after {@link #release()} no chunk waits. */
    boolean isDrained() {
        return isRead() && !(releasing && chunks != null && chunks.isHolding());
    }

    private boolean isRead() {
        for (boolean more : readable) {
            if (more) {
                return false;
            }
        }
        return true;
    }

    /** True if a reader has staged datagrams. */
    boolean hasStaged() {
        for (ListeningSocket listening : sockets) {
            if (listening.socket().reader().staged() > 0) {
                return true;
            }
        }
        return false;
    }

    /** True if there are frames that have not been submitted: {@link #doWork()} is due again at their deadline. */
    boolean isPending() {
        return filler.isPending();
    }

    /** True if a receive call on this socket failed in the last cycle. */
    boolean hasFailed(int socket) {
        return failed[socket];
    }
}
