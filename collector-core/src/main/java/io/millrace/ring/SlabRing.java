package io.millrace.ring;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/** The slabs of a shard and their way round. One thread receives, one writes; they may be the same. */
public final class SlabRing {
    private final SpscArrayQueue<Slab> full;
    private final SpscArrayQueue<Slab> free;
    private final List<Slab> slabs = new ArrayList<>();

    /**
     * Makes a ring with all its memory.
     *
     * @param count slabs, at least 2, so that one can be filled while the other is written
     * @param slabBytes bytes of each
     */
    public SlabRing(int count, int slabBytes) {
        full = new SpscArrayQueue<>(count);
        free = new SpscArrayQueue<>(count);
        for (int i = 0; i < count; i++) {
            Slab slab = new Slab(i, slabBytes);
            slabs.add(slab);
            free.offer(slab);
        }
    }

    /** Takes an empty slab; null if there is none, which is back-pressure. The receiver's thread. */
    public @Nullable Slab takeFree() {
        return free.relaxedPoll();
    }

    /** Submits a slab to the writer. The receiver's thread. */
    public void submit(Slab slab) {
        if (!full.offer(slab)) {
            throw new IllegalStateException(
                    "a ring has room for all its slabs: slab " + slab.index() + " is a stranger");
        }
    }

    /** Takes the oldest slab that was submitted; null if there is none. The writer's thread. */
    public @Nullable Slab takeFull() {
        return full.poll();
    }

    /** Releases a slab, its batch forgotten. The writer's thread. */
    public void release(Slab slab) {
        slab.batch().reset();
        if (!free.offer(slab)) {
            throw new IllegalStateException(
                    "a ring has room for all its slabs: slab " + slab.index() + " is a stranger");
        }
    }

    /** Slabs that wait for the writer. Any thread; a moment's value. */
    public int depth() {
        return full.size();
    }

    /** True if the writer has taken all that was submitted. Any thread. */
    public boolean isDrained() {
        return full.isEmpty();
    }

    /** How many slabs there are. */
    public int slabCount() {
        return slabs.size();
    }

    /** The memory of a slab, for a writer that keeps a view of its own on each. */
    public ByteBuffer memory(int index) {
        return slabs.get(index).batch().buffer();
    }
}
