package io.millrace.sender.pcap;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Input of a capture file that tracks the position and the byte order. */
final class CaptureInput implements Closeable {
    private final InputStream stream;
    private final String name;
    private ByteOrder order = ByteOrder.BIG_ENDIAN;
    private long position;

    CaptureInput(InputStream stream, String name) {
        this.stream = stream;
        this.name = name;
    }

    /** The position of the next byte in the file. */
    long position() {
        return position;
    }

    void order(ByteOrder newOrder) {
        order = newOrder;
    }

    /**
     * Fills the first bytes of a buffer.
     *
     * @return false at the end of the file
     * @throws PcapException when the file ends within them
     */
    @SuppressWarnings("ByteBufferBackingArray") // all are made by allocate()
    boolean read(ByteBuffer target, int length, String what) throws IOException {
        long start = position;
        int got = stream.readNBytes(target.array(), 0, length);
        position += got;
        target.order(order).clear().limit(got);
        if (got == 0 && length > 0) {
            return false;
        }
        if (got < length) {
            throw corrupt(start, "the file ends within " + what + ": " + got + " of " + length + " bytes");
        }
        return true;
    }

    /** Like {@link #read}, but the end of the file is an error. */
    void readAll(ByteBuffer target, int length, String what) throws IOException {
        if (!read(target, length, what) && length > 0) {
            throw corrupt(position, "the file ends where " + what + " should begin");
        }
    }

    void skip(long length, String what) throws IOException {
        long start = position;
        long left = length;
        while (left > 0) {
            long skipped = stream.skip(left);
            if (skipped <= 0) {
                if (stream.read() < 0) {
                    throw corrupt(start, "the file ends within " + what);
                }
                skipped = 1;
            }
            left -= skipped;
            position += skipped;
        }
    }

    PcapException corrupt(long at, String what) {
        return new PcapException(name + ": at byte " + at + ": " + what);
    }

    @Override
    public void close() throws IOException {
        stream.close();
    }
}
