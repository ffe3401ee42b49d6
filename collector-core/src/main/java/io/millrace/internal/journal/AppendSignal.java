package io.millrace.internal.journal;

import io.millrace.collector.Counter;
import io.millrace.internal.counters.CounterFile;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A signal that wakes readers of the journal when it has grown enough, so that they do not poll. A reader sets a
 * threshold in bytes and sleeps. After each batch, the journal writer compares the threshold with what it has appended,
 * which costs one memory read. It wakes a sleeping reader at most once per sleep.
 *
 * <p>No wake-up is lost. The reader publishes its threshold before it checks the journal's size a last time. The writer
 * counts a batch before it checks the thresholds. A full fence on both sides keeps that order.
 */
public final class AppendSignal {
    private final CounterFile counters;
    /** Copied on a change, so that the journal writer goes over them without an iterator. */
    private volatile Reader[] readers = {};

    /** Creates a signal for the journal of these counters. */
    public AppendSignal(CounterFile counters) {
        this.counters = counters;
    }

    /** Creates a reader, to be {@linkplain Reader#close closed} after its last read. Any thread. */
    public Reader newReader() {
        return add(new Reader(0, counters.shardCount()));
    }

    /** Creates a reader of one shard. Any thread. */
    public Reader newReaderOf(int shard) {
        return add(new Reader(shard, shard + 1));
    }

    private synchronized Reader add(Reader reader) {
        Reader[] more = Arrays.copyOf(readers, readers.length + 1);
        more[more.length - 1] = reader;
        readers = more;
        return reader;
    }

    private synchronized void remove(Reader reader) {
        readers = Arrays.stream(readers).filter(each -> each != reader).toArray(Reader[]::new);
    }

    /** Wakes readers, after the writer of a shard has counted a batch as journaled. The writer's thread. */
    public void appended(int shard) {
        VarHandle.fullFence();
        for (Reader reader : readers) {
            if (reader.sleeper.get() != null && bytes(shard) >= reader.thresholds[shard]) {
                LockSupport.unpark(reader.sleeper.getAndSet(null));
            }
        }
    }

    private long bytes(int shard) {
        return counters.shard(shard).get(Counter.JOURNALED_BYTES);
    }

    /** One reader of the journal. Only its own thread calls its methods, except {@link #wake} and {@link #close}. */
    public final class Reader implements AutoCloseable {
        /** The sleeping thread; null while no append must wake it. */
        private final AtomicReference<@Nullable Thread> sleeper = new AtomicReference<>();

        private volatile @Nullable Thread owner;
        /** Set by {@link #wake} until the next {@link #mark}. */
        private volatile boolean woken;

        private final int firstShard;
        private final int endShard;
        private final long[] seen = new long[counters.shardCount()];
        /** Bytes per shard; written before {@link #sleeper}, which publishes them. */
        private final long[] thresholds = new long[counters.shardCount()];

        private Reader(int firstShard, int endShard) {
            this.firstShard = firstShard;
            this.endShard = endShard;
            Arrays.fill(thresholds, Long.MAX_VALUE);
        }

        /**
         * Records the journal's size, and forgets an earlier {@link #wake}. To be called before reading, so that concurrent appends count as new.
         */
        public void mark() {
            woken = false;
            for (int shard = firstShard; shard < endShard; shard++) {
                seen[shard] = bytes(shard);
            }
        }

        /** True if a shard has grown by this many bytes since the {@link #mark}. */
        public boolean hasGrown(long bytes) {
            for (int shard = firstShard; shard < endShard; shard++) {
                if (bytes(shard) - seen[shard] >= bytes) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Sleeps until a shard has grown by this many bytes since the {@link #mark}, until {@link #wake}, or for this
         * long. May return early, as {@link LockSupport#parkNanos} does.
         *
         * @param bytes the threshold, at least 1; {@link Long#MAX_VALUE} if appends must not end the sleep
         * @param ns the maximum time
         */
        public void await(long bytes, long ns) {
            if (ns <= 0) {
                return;
            }
            for (int shard = firstShard; shard < endShard; shard++) {
                thresholds[shard] = bytes == Long.MAX_VALUE ? bytes : seen[shard] + bytes;
            }
            owner = Thread.currentThread();
            sleeper.set(owner);
            VarHandle.fullFence();
            if (!woken && !hasGrown(bytes)) {
                LockSupport.parkNanos(this, ns);
            }
            sleeper.set(null);
        }

        /**
         * The idle strategy of an agent that reads the journal. It does not sleep while there is more to read.
         * Otherwise it sleeps until enough was appended. It calls {@link #mark} at the end.
         *
         * @param workDone the result of the agent's last call
         * @param bytes the number of appended bytes that ends the sleep at once
         * @param lingerNs the maximum sleep if fewer bytes were appended
         * @param quietNs the maximum sleep if nothing was appended
         */
        public void idle(int workDone, long bytes, long lingerNs, long quietNs) {
            if (workDone == 0) {
                await(bytes, lingerNs);
                if (!hasGrown(1)) {
                    await(1, quietNs);
                }
            }
            mark();
        }

        /** Ends the current sleep, and all others until the next {@link #mark}, at once. Any thread. */
        public void wake() {
            woken = true;
            LockSupport.unpark(owner);
        }

        /** Deregisters the reader. Can be called twice. */
        @Override
        public void close() {
            remove(this);
        }
    }
}
