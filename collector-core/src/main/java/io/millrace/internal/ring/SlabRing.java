package io.millrace.internal.ring;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of a shard, in a queue of full ones and a queue of free ones. One receiver thread and one writer thread.
 *
 * <p>No wake-up is lost. The writer declares that it sleeps before it looks into the queue a last time; the receiver submits a slab
 * before it looks whether the writer sleeps. A full fence on both sides keeps that order.
 */
public final class SlabRing {
    private final SpscArrayQueue<Slab> full;
    private final Queue<Slab> free;
    private final List<Slab> slabs = new ArrayList<>();
    private final SafeBatches safe = new SafeBatches();
    /** The writer's thread while it sleeps; null while no submit must wake it. */
    private volatile @Nullable Thread sleeper;

    /**
     * Creates a ring and allocates its memory.
     *
     * @param count the number of slabs, at least 2, so that one can be filled while the other is written
     * @param slabBytes the size of a slab
     */
    public SlabRing(int count, int slabBytes) {
        this(count, slabBytes, new SpscArrayQueue<>(count));
    }

    private SlabRing(int count, int slabBytes, Queue<Slab> free) {
        full = new SpscArrayQueue<>(count);
        this.free = free;
        for (int i = 0; i < count; i++) {
            Slab slab = new Slab(i, slabBytes);
            slabs.add(slab);
            free.offer(slab);
        }
    }

    /**
     * Creates a ring whose receiver and writer are one thread. It takes the slab that was released last, whose memory is still in the
     * CPU's cache.
     */
    public static SlabRing ofOneThread(int count, int slabBytes) {
        return new SlabRing(count, slabBytes, Collections.asLifoQueue(new ArrayDeque<>(count)));
    }

    /** Takes a free slab; null if there is none, which is backpressure. The receiver's thread. */
    public @Nullable Slab takeFree() {
        return free.poll();
    }

    /** Submits a slab to the writer, and wakes it if it sleeps. The receiver's thread. */
    public void submit(Slab slab) {
        if (!full.offer(slab)) {
            throw new IllegalStateException("slab " + slab.index() + " does not belong to this ring");
        }
        safe.submitted();
        VarHandle.fullFence();
        Thread writer = sleeper;
        if (writer != null) {
            sleeper = null;
            LockSupport.unpark(writer);
        }
    }

    /** Sleeps until a slab is submitted. May return early, as {@link LockSupport#park} does. The writer's thread. */
    public void awaitFull() {
        sleeper = Thread.currentThread();
        VarHandle.fullFence();
        if (full.isEmpty()) {
            LockSupport.park(this);
        }
        sleeper = null;
    }

    /** How many of the submitted batches are safe in the journal. */
    public SafeBatches safe() {
        return safe;
    }

    /** Takes the oldest submitted slab; null if there is none. The writer's thread. */
    public @Nullable Slab takeFull() {
        return full.poll();
    }

    /** Releases a slab and clears its batch. The writer's thread. */
    public void release(Slab slab) {
        slab.batch().reset();
        if (!free.offer(slab)) {
            throw new IllegalStateException("slab " + slab.index() + " does not belong to this ring");
        }
    }

    /** The number of slabs that wait for the writer. Any thread; the value may already be out of date. */
    public int depth() {
        return full.size();
    }

    /** True if the writer has taken all submitted slabs. Any thread. */
    public boolean isDrained() {
        return full.isEmpty();
    }

    public int slabCount() {
        return slabs.size();
    }

    /** The buffer of a slab, for a writer that keeps a view of each. */
    public ByteBuffer memory(int index) {
        return slabs.get(index).batch().buffer();
    }
}
