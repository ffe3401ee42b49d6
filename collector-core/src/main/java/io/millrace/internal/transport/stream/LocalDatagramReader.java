package io.millrace.internal.transport.stream;

import io.millrace.internal.linux.LocalDatagrams;
import io.millrace.internal.record.FrameSource;
import io.millrace.internal.record.FrameWriter;
import io.millrace.journal.FrameTransport;
import io.millrace.transport.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the datagrams of a Unix socket. Those of a call have one time, that of the call. One thread. */
final class LocalDatagramReader implements DatagramReader {
    private final LocalDatagrams datagrams;
    private final int maxBytes;
    private final ReadResult result = new ReadResult();
    private final FrameSource unknown;
    private int next;
    private int received;
    private long timeNs;

    /** The last sender: mostly the next one, too. */
    private @Nullable FrameSource last;

    private int lastPid;
    private int lastUid;
    private int lastGid;

    LocalDatagramReader(int descriptor, int input, int maxBytes) {
        this.datagrams = new LocalDatagrams(descriptor, maxBytes);
        this.maxBytes = maxBytes;
        this.unknown = FrameSource.local(FrameTransport.UNIX_DATAGRAM, input);
    }

    @Override
    public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        int count = 0;
        if (next == received) {
            next = 0;
            received = 0;
            received = datagrams.receive();
            count = received;
            timeNs = clock.epochNs();
        }
        while (next < received && append((FrameWriter) batch, input)) {
            next++;
        }
        return result.set(count, next < received || received == LocalDatagrams.CAPACITY);
    }

    private boolean append(FrameWriter batch, int input) {
        int length = datagrams.length(next);
        int marks = length > maxBytes ? FrameWriter.TRUNCATED : 0;
        int stored = Math.min(length, maxBytes);
        return batch.append(source(input), datagrams.payloads(), datagrams.offset(next), stored, length, marks, timeNs);
    }

    private FrameSource source(int input) {
        if (!datagrams.hasCredentials(next)) {
            return unknown;
        }
        int pid = datagrams.pid(next);
        int uid = datagrams.uid(next);
        int gid = datagrams.gid(next);
        FrameSource source = last;
        if (source == null || pid != lastPid || uid != lastUid || gid != lastGid) {
            source = FrameSource.local(FrameTransport.UNIX_DATAGRAM, input, pid, uid, gid);
            last = source;
            lastPid = pid;
            lastUid = uid;
            lastGid = gid;
        }
        return source;
    }

    @Override
    public int staged() {
        return received - next;
    }

    @Override
    public void close() {
        // Its memory goes with it.
    }
}
