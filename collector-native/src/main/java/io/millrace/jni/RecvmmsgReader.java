package io.millrace.jni;

import io.millrace.transport.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads up to 64 datagrams with one native call, without an object per datagram. One thread. */
final class RecvmmsgReader implements DatagramReader {
    // Offsets in struct outcome; receive.c asserts them.
    private static final int BASE_NS = 0;
    private static final int MIN_NS = 8;
    private static final int MAX_NS = 16;
    private static final int PAYLOAD_BYTES = 24;
    private static final int END = 32;
    private static final int TRUNCATED = 36;
    private static final int STAGED = 40;
    private static final int MORE = 44;

    private final ByteBuffer outcome;
    private final ReadResult result = new ReadResult();
    private long reader;
    private int staged;

    RecvmmsgReader(int descriptor, int maxDatagramBytes, boolean gro, boolean packetTimestamps) throws IOException {
        long opened = Recvmmsg.open(descriptor, maxDatagramBytes, gro, packetTimestamps);
        if (opened < 0) {
            throw new IOException("the native transport cannot read this socket: " + Errno.text((int) -opened));
        }
        try {
            outcome = Recvmmsg.outcome(opened).order(ByteOrder.nativeOrder());
        } catch (OutOfMemoryError e) {
            Recvmmsg.close(opened);
            throw e;
        }
        reader = opened;
    }

    @Override
    public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        if (reader == 0) {
            throw new IOException("the reader is closed");
        }
        ByteBuffer memory = batch.buffer();
        int frames = Recvmmsg.read(
                reader,
                memory,
                memory.capacity(),
                batch.length(),
                batch.count() == 0,
                batch.baseTimeNs(),
                input,
                clock.epochNs());
        if (frames < 0) {
            throw new IOException("recvmmsg: " + Errno.text(-frames));
        }
        int stagedBefore = staged;
        staged = outcome.getInt(STAGED);
        if (frames > 0) {
            batch.written(
                    frames,
                    outcome.getInt(END),
                    outcome.getLong(BASE_NS),
                    outcome.getLong(MIN_NS),
                    outcome.getLong(MAX_NS),
                    outcome.getLong(PAYLOAD_BYTES),
                    outcome.getInt(TRUNCATED));
        }
        return result.set(frames + staged - stagedBefore, outcome.getInt(MORE) != 0);
    }

    @Override
    public int staged() {
        return staged;
    }

    @Override
    public void close() {
        if (reader != 0) {
            Recvmmsg.close(reader);
            reader = 0;
        }
    }
}
