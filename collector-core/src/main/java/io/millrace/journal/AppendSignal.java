package io.millrace.journal;

import io.millrace.counters.Counter;
import io.millrace.counters.CounterFile;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes readers of the journal when it has grown enough, so that none of them polls. A reader tells how many bytes are worth
 * a wake-up and sleeps; the journal writer compares that with what it has appended after each batch, which is a read of
 * memory. Only a reader that sleeps is woken, and only once per sleep.
 *
 * <p>A wake-up cannot be missed: the reader announces its threshold before it looks at the journal's size a last time, and the
 * writer counts a batch before it looks at the thresholds. A full fence on both sides keeps that order.
 */
public final class AppendSignal {
    private final CounterFile counters;
    private final CopyOnWriteArrayList<Reader> readers = new CopyOnWriteArrayList<>();

    /** A signal for the journal that these counters describe. */
    public AppendSignal(CounterFile counters) {
        this.counters = counters;
    }

    /** A new reader, to be {@linkplain Reader#close closed} when it reads no more. Any thread. */
    public Reader newReader() {
        Reader reader = new Reader();
        readers.add(reader);
        return reader;
    }

    /** A journal writer has counted a batch of its shard as journaled. The writer's thread. */
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

    /** One reader of the journal. Only its own thread calls its methods, but for {@link #wake} and {@link #close}. */
    public final class Reader implements AutoCloseable {
        /** The thread while appends are to wake it. */
        private final AtomicReference<@Nullable Thread> sleeper = new AtomicReference<>();

        private volatile @Nullable Thread owner;
        private final long[] seen = new long[counters.shardCount()];
        /** Bytes per shard; written before {@link #sleeper}, which publishes them. */
        private final long[] thresholds = new long[counters.shardCount()];

        private Reader() {}

        /** Notes the journal's size now: to be called before reading, so that what is appended meanwhile counts as new. */
        public void mark() {
            for (int shard = 0; shard < seen.length; shard++) {
                seen[shard] = bytes(shard);
            }
        }

        /** True if a shard has grown by this many bytes since the {@link #mark}. */
        public boolean hasGrown(long bytes) {
            for (int shard = 0; shard < seen.length; shard++) {
                if (bytes(shard) - seen[shard] >= bytes) {
                    return true;
                }
            }
            return false;
        }

        /**
         * Sleeps until a shard has grown by this many bytes since the {@link #mark}, until {@link #wake}, or for this long.
         * May return early, as {@link LockSupport#parkNanos} does.
         *
         * @param bytes at least 1; {@link Long#MAX_VALUE} for a sleep that appends do not end
         * @param ns how long at most
         */
        public void await(long bytes, long ns) {
            if (ns <= 0) {
                return;
            }
            for (int shard = 0; shard < seen.length; shard++) {
                thresholds[shard] = bytes == Long.MAX_VALUE ? bytes : seen[shard] + bytes;
            }
            owner = Thread.currentThread();
            sleeper.set(owner);
            VarHandle.fullFence();
            if (!hasGrown(bytes)) {
                LockSupport.parkNanos(this, ns);
            }
            sleeper.set(null);
        }

        /**
         * What a thread does between two calls of an agent that reads the journal: nothing while there is more to read, then a
         * sleep until it is worth reading again. {@link #mark} is called at the end.
         *
         * @param workDone what the agent returned
         * @param bytes how much is worth a wake-up
         * @param lingerNs how long less than that may wait
         * @param quietNs the longest sleep while nothing is appended
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

        /** Ends the sleep now, or the next one at once. */
        public void wake() {
            LockSupport.unpark(owner);
        }

        /** No append wakes this reader any more. Can be called twice. */
        @Override
        public void close() {
            readers.remove(this);
        }
    }
}
