package io.millrace.internal.transport.stream;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * The one read buffer of an event loop: each read of each of its connections fills it, and what is read is handled before the next
 * read. So a connection that is idle has no buffer, and a read allocates nothing. Connections with handlers that keep bytes, such as
 * those of TLS, have {@link #separate} buffers instead.
 *
 * <p>While there is no free slab, reads are short, because a connection must keep what it reads. The loop's thread.
 */
final class SharedReadBuffer implements RecvByteBufAllocator {
    static final int READ_BYTES = 64 << 10;
    static final int SHORT_READ_BYTES = 512;
    /** A handler may keep such a buffer for the rest of a few bytes, for as long as it wants. */
    static final int SEPARATE_READ_BYTES = 16 << 10;

    /** Bytes of one connection before others have their turn. */
    private static final int MAX_BYTES = 4 * READ_BYTES;

    /** The same as time: a few bytes of TLS may cost much. */
    private static final long MAX_NS = 1_000_000;

    private final Buffer large = new Buffer(READ_BYTES);
    private final Buffer small = new Buffer(SHORT_READ_BYTES);
    /** Connections of a loop are read one after the other. */
    private final Reads reads = new Reads(true);

    private final PassOutcome outcome;
    private boolean isShort;

    SharedReadBuffer(PassOutcome outcome) {
        this.outcome = outcome;
    }

    /** Whether reads are short from now on. */
    void setShort(boolean on) {
        isShort = on;
    }

    /** For connections with handlers that keep bytes: each read has a buffer of its own. */
    RecvByteBufAllocator separate() {
        return new Separate();
    }

    private final class Separate implements RecvByteBufAllocator {
        private final Reads reads = new Reads(false);

        @Override
        @SuppressWarnings("deprecation") // Channels take nothing else.
        public Handle newHandle() {
            return reads;
        }
    }

    /** Bytes read from a connection since its beginning; 0 for one that does not have buffers of its own. */
    static long readBytes(Channel of) {
        RecvByteBufAllocator allocator = of.config().getRecvByteBufAllocator();
        return allocator instanceof Separate separate ? separate.reads.total : 0;
    }

    /** The memory of a buffer, from its index 0 on; little-endian. */
    @SuppressWarnings("ReferenceEquality") // There are two.
    ByteBuffer memory(ByteBuf of) {
        return of == large.bytes
                ? large.memory
                : of == small.bytes
                        ? small.memory
                        : of.nioBuffer(0, of.writerIndex()).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Releases the memory. */
    void close() {
        large.release();
        small.release();
    }

    /** A buffer that has memory from its first use on: most event loops have no connections. */
    private static final class Buffer {
        private final int length;
        private ByteBuf bytes = Unpooled.EMPTY_BUFFER;
        private ByteBuffer memory = ByteBuffer.allocate(0);

        Buffer(int length) {
            this.length = length;
        }

        ByteBuf take() {
            if (bytes.capacity() == 0) {
                bytes = UnpooledByteBufAllocator.DEFAULT.directBuffer(length, length);
                memory = bytes.nioBuffer(0, length).order(ByteOrder.LITTLE_ENDIAN);
            }
            return bytes.clear().retain();
        }

        void release() {
            bytes.release();
            bytes = Unpooled.EMPTY_BUFFER;
        }
    }

    @Override
    @SuppressWarnings("deprecation") // Channels take nothing else.
    public Handle newHandle() {
        return reads;
    }

    /** Counts the reads of a channel's turn. */
    private final class Reads implements ExtendedHandle {
        private final boolean shared;
        private final int maxReads;
        private int count;
        private int last;
        private int attempted;
        private long total;
        private long beganNs;
        private @Nullable ChannelConfig config;

        Reads(boolean shared) {
            this.shared = shared;
            this.maxReads = MAX_BYTES / (shared ? READ_BYTES : SEPARATE_READ_BYTES);
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return shared ? (isShort ? small : large).take() : allocator.ioBuffer(guess());
        }

        @Override
        public int guess() {
            return isShort ? SHORT_READ_BYTES : shared ? READ_BYTES : SEPARATE_READ_BYTES;
        }

        @Override
        public void reset(ChannelConfig ofChannel) {
            config = ofChannel;
            count = 0;
            last = 0;
            attempted = 0;
            beganNs = System.nanoTime();
        }

        @Override
        public void incMessagesRead(int messages) {
            count += messages;
        }

        @Override
        public void lastBytesRead(int bytes) {
            last = bytes;
            total += Math.max(0, bytes);
            if (bytes > 0 && bytes == attempted) {
                outcome.more();
            }
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
            return count < maxReads
                    && last > 0
                    && config != null
                    && config.isAutoRead()
                    && System.nanoTime() - beganNs < MAX_NS;
        }

        @Override
        public void readComplete() {
            config = null;
        }
    }
}
