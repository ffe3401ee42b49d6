package io.millrace.internal.receive;

import io.millrace.internal.gelf.ChunkAssembler;
import io.millrace.internal.gelf.ChunkAssembler.Chunks;
import io.millrace.internal.record.DatagramPredicate;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.DatagramView;
import io.millrace.transport.EpochClock;
import java.nio.ByteBuffer;

/**
 * Takes chunks of GELF messages out of the frames of a read, and appends each message when it is complete, or its chunks
 * as they came. One thread.
 */
final class ChunkGate implements DatagramPredicate {
    private final SlabFiller filler;
    private final EpochClock clock;
    private final ChunkAssembler assembler;
    private ByteBuffer merged = ByteBuffer.allocate(0);
    private int taken;
    private int duplicates;
    private int rejected;
    private long nowNs;
    /** Of the message that leaves, the first chunk that is not written. */
    private int nextChunk;

    ChunkGate(SlabFiller filler, EpochClock clock) {
        this.filler = filler;
        this.clock = clock;
        this.assembler = new ChunkAssembler(filler.slabBytes() - FrameWriter.minStreamCapacity(0));
    }

    /** Takes chunks out of the frames since the batch's mark; returns how many frames the batch has less. */
    int take(FrameWriter batch) {
        taken = 0;
        duplicates = 0;
        rejected = 0;
        nowNs = System.nanoTime();
        batch.retain(this);
        filler.duplicates(duplicates);
        filler.incomplete(rejected);
        return taken + duplicates;
    }

    @Override
    public boolean keeps(DatagramView datagram) {
        return switch (assembler.take(datagram, nowNs)) {
            case OTHER -> true;
            case TAKEN -> {
                taken++;
                yield false;
            }
            case DUPLICATE -> {
                duplicates++;
                yield false;
            }
            case REJECTED -> {
                rejected++;
                yield true;
            }
        };
    }

    /** Lets chunks leave that have waited for too long. */
    void expire() {
        assembler.expire(System.nanoTime());
    }

    /** Lets all chunks leave. */
    void releaseAll() {
        assembler.releaseAll();
    }

    /** Appends what leaves; false if there is no free slab. */
    boolean write() {
        for (Chunks message = assembler.next(); message != null; message = assembler.next()) {
            boolean written = message.isComplete() ? appendMerged(message) : appendChunks(message);
            if (!written) {
                return false;
            }
            assembler.written();
            nextChunk = 0;
        }
        return true;
    }

    private boolean appendMerged(Chunks message) {
        int length = message.payloadBytes();
        if (merged.capacity() < length) {
            merged = ByteBuffer.allocate(Math.max(length, 2 * merged.capacity()));
        }
        message.copyPayload(merged.array());
        var source = message.frameSource();
        boolean appended = append(batch -> batch.append(source, merged, 0, length, length, 0, message.receiveTimeNs()));
        if (appended) {
            filler.merged(message.count() - 1);
        }
        return appended;
    }

    private boolean appendChunks(Chunks message) {
        for (; nextChunk < message.size(); nextChunk++) {
            DatagramView chunk = message.chunk(nextChunk);
            if (chunk != null) {
                if (!append(batch -> batch.append(chunk))) {
                    return false;
                }
                filler.incomplete(1);
            }
        }
        return true;
    }

    /** An attempt to append to a batch. */
    private interface Attempt {
        boolean on(FrameWriter batch);
    }

    /** Appends to the current batch, or to the next if there is no room, or the time is too far away. */
    private boolean append(Attempt attempt) {
        FrameWriter batch = filler.acquire();
        if (batch != null && batch.count() > 0) {
            if (attempt.on(batch)) {
                return true;
            }
            filler.flush();
            batch = filler.acquire();
        }
        if (batch == null) {
            return false;
        }
        if (!attempt.on(batch)) {
            throw new IllegalStateException("an empty slab has no room for a message of GELF");
        }
        filler.began(clock.epochNs());
        return true;
    }

    /** True if chunks wait, or leave. */
    boolean isHolding() {
        return assembler.isHolding();
    }
}
