package io.millrace.bench.jmh;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.RingBuffer;
import io.millrace.internal.ring.Slab;
import io.millrace.internal.ring.SlabRing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jctools.queues.MpscArrayQueue;

final class Handoffs {
    /** Padding around the fields of one thread. */
    private static final int CACHE_LINES = 256;

    private Handoffs() {}

    static Handoff create(String name) {
        return switch (name) {
            case "slab-ring" -> new CollectorRing();
            case "jctools-mpsc" ->
                new TwoQueues(new MpscArrayQueue<>(Handoff.SLABS), new MpscArrayQueue<>(Handoff.SLABS));
            case "array-blocking-queue" ->
                new TwoQueues(new ArrayBlockingQueue<>(Handoff.SLABS), new ArrayBlockingQueue<>(Handoff.SLABS));
            case "disruptor" -> new Disruptor();
            case "agrona" -> new Agrona();
            default -> throw new IllegalArgumentException("unknown handoff '" + name + "'");
        };
    }

    private static final class CollectorRing implements Handoff {
        private final SlabRing ring = new SlabRing(SLABS, SLAB_BYTES);

        @Override
        public boolean offer(long value) {
            Slab slab = ring.takeFree();
            if (slab == null) {
                return false;
            }
            slab.batch().buffer().putLong(0, value);
            ring.submit(slab);
            return true;
        }

        @Override
        public long take() {
            Slab slab = ring.takeFull();
            if (slab == null) {
                return NOTHING;
            }
            long value = slab.batch().buffer().getLong(0);
            ring.release(slab);
            return value;
        }
    }

    /** Any two queues: one for full slabs, one for free ones. */
    private static final class TwoQueues implements Handoff {
        private final Queue<ByteBuffer> full;
        private final Queue<ByteBuffer> free;

        TwoQueues(Queue<ByteBuffer> full, Queue<ByteBuffer> free) {
            this.full = full;
            this.free = free;
            for (int i = 0; i < SLABS; i++) {
                free.add(ByteBuffer.allocateDirect(SLAB_BYTES));
            }
        }

        @Override
        public boolean offer(long value) {
            ByteBuffer slab = free.poll();
            return slab != null && full.offer(slab.putLong(0, value));
        }

        @Override
        public long take() {
            ByteBuffer slab = full.poll();
            if (slab == null) {
                return NOTHING;
            }
            long value = slab.getLong(0);
            free.add(slab);
            return value;
        }
    }

    /** A ring whose slots own their slabs: only a sequence number goes back. */
    private static final class Disruptor implements Handoff {
        private final RingBuffer<ByteBuffer> ring =
                RingBuffer.createSingleProducer(() -> ByteBuffer.allocateDirect(SLAB_BYTES), SLABS);
        private final EventPoller<ByteBuffer> poller = ring.newPoller();
        private final EventPoller.Handler<ByteBuffer> handler = this::onSlab;
        private long taken;

        Disruptor() {
            ring.addGatingSequences(poller.getSequence());
        }

        @Override
        public boolean offer(long value) {
            if (!ring.hasAvailableCapacity(1)) {
                return false;
            }
            long sequence = ring.next();
            ring.get(sequence).putLong(0, value);
            ring.publish(sequence);
            return true;
        }

        @Override
        public long take() {
            try {
                EventPoller.PollState state = poller.poll(handler);
                return state == EventPoller.PollState.PROCESSING ? taken : NOTHING;
            } catch (Exception e) {
                throw new IllegalStateException("the poller has failed", e);
            }
        }

        /** Returns false to take one slab at a time, as with the others. */
        private boolean onSlab(ByteBuffer slab, long sequence, boolean last) {
            taken = slab.getLong(0);
            return false;
        }
    }

    /** Messages with the number of a slab, on a ring for full slabs and one for free ones. */
    private static final class Agrona implements Handoff {
        private static final int TYPE = 1;
        /** A message of 4 bytes takes 16; a ring's capacity is a power of two. */
        private static final int RING_BYTES = 2 * 16 * SLABS;

        private final OneToOneRingBuffer full = ring();
        private final OneToOneRingBuffer free = ring();
        private final Received fromFull = new Received();
        private final Received fromFree = new Received();
        private final UnsafeBuffer toFull = new UnsafeBuffer(ByteBuffer.allocateDirect(CACHE_LINES));
        private final UnsafeBuffer toFree = new UnsafeBuffer(ByteBuffer.allocateDirect(CACHE_LINES));
        private final List<ByteBuffer> slabs = new ArrayList<>();

        Agrona() {
            for (int i = 0; i < SLABS; i++) {
                slabs.add(ByteBuffer.allocateDirect(SLAB_BYTES));
                send(free, toFree, i);
            }
        }

        /** The number in the last message, padded by an array against false sharing. */
        private static final class Received implements MessageHandler {
            private final int[] slab = new int[CACHE_LINES / Integer.BYTES];

            @Override
            public void onMessage(int type, MutableDirectBuffer buffer, int index, int length) {
                slab[slab.length / 2] = buffer.getInt(index);
            }

            int slab() {
                return slab[slab.length / 2];
            }
        }

        private static OneToOneRingBuffer ring() {
            return new OneToOneRingBuffer(
                    new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
        }

        private static void send(OneToOneRingBuffer ring, UnsafeBuffer message, int slab) {
            message.putInt(CACHE_LINES / 2, slab);
            if (!ring.write(TYPE, message, CACHE_LINES / 2, Integer.BYTES)) {
                throw new IllegalStateException("a ring has room for all slabs");
            }
        }

        @Override
        public boolean offer(long value) {
            if (free.read(fromFree, 1) == 0) {
                return false;
            }
            slabs.get(fromFree.slab()).putLong(0, value);
            send(full, toFull, fromFree.slab());
            return true;
        }

        @Override
        public long take() {
            if (full.read(fromFull, 1) == 0) {
                return NOTHING;
            }
            long value = slabs.get(fromFull.slab()).getLong(0);
            send(free, toFree, fromFull.slab());
            return value;
        }
    }
}
