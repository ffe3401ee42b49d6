package io.millrace.transport.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The one read buffer of an event loop: each read of each of its connections fills it, and what is read is handled before the next
 * read. So a connection that is idle has no buffer, and a read allocates nothing.
 *
 * <p>While there is no free slab, reads are short: whatever a connection brings then, it has to keep. The loop's thread.
 */
final class SharedReadBuffer implements RecvByteBufAllocator {
    static final int READ_BYTES = 64 << 10;
    static final int SHORT_READ_BYTES = 512;

    /** Reads of one connection before others have their turn. */
    private static final int MAX_READS = 4;

    private final ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(READ_BYTES, READ_BYTES);
    private final ByteBuf shortBuffer =
            UnpooledByteBufAllocator.DEFAULT.directBuffer(SHORT_READ_BYTES, SHORT_READ_BYTES);
    private final ByteBuffer memory = buffer.nioBuffer(0, READ_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteBuffer shortMemory =
            shortBuffer.nioBuffer(0, SHORT_READ_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    /** Connections of a loop are read one after the other. */
    private final Reads reads = new Reads();

    private boolean isShort;

    /** Whether reads are short from now on. */
    void setShort(boolean on) {
        isShort = on;
    }

    /** The memory of a buffer, from its index 0 on; little-endian. */
    @SuppressWarnings("ReferenceEquality") // There are two.
    ByteBuffer memory(ByteBuf of) {
        return of == buffer
                ? memory
                : of == shortBuffer
                        ? shortMemory
                        : of.nioBuffer(0, of.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Releases the memory. */
    void close() {
        if (buffer.refCnt() > 0) {
            buffer.release();
            shortBuffer.release();
        }
    }

    @Override
    @SuppressWarnings("deprecation") // Channels take nothing else.
    public Handle newHandle() {
        return reads;
    }

    /** Counts the reads of a channel's turn. */
    private final class Reads implements ExtendedHandle {
        private int count;
        private int last;
        private int attempted;
        private @Nullable ChannelConfig config;

        @Override
        public ByteBuf allocate(ByteBufAllocator unused) {
            return (isShort ? shortBuffer : buffer).clear().retain();
        }

        @Override
        public int guess() {
            return isShort ? SHORT_READ_BYTES : READ_BYTES;
        }

        @Override
        public void reset(ChannelConfig ofChannel) {
            config = ofChannel;
            count = 0;
            last = 0;
            attempted = 0;
        }

        @Override
        public void incMessagesRead(int messages) {
            count += messages;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
        }

        @Override
        public int lastBytesRead() {
            return last;
        }

        @Override
        public void attemptedBytesRead(int bytes) {
            attempted = bytes;
        }

        @Override
        public int attemptedBytesRead() {
            return attempted;
        }

        @Override
        public boolean continueReading() {
            return mayContinue() && last == attempted;
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
            return mayContinue() && maybeMore.get();
        }

        private boolean mayContinue() {
            return count < MAX_READS && last > 0 && config != null && config.isAutoRead();
        }

        @Override
        public void readComplete() {
            config = null;
        }
    }
}
