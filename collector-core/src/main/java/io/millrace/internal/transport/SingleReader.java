package io.millrace.internal.transport;

import io.millrace.transport.BatchWriter;
import io.millrace.transport.DatagramReader;
import io.millrace.transport.EpochClock;
import io.millrace.transport.ReadResult;
import io.millrace.transport.StagedDatagram;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads one datagram per receive call. One thread. */
final class SingleReader implements DatagramReader {
    /** The maximum number of datagrams per read. */
    private static final int DATAGRAMS = 64;

    /** A receive call for one datagram. */
    interface Receive {
        /**
         * Receives payload, length and source, without the time.
         *
         * @return false if no datagram is queued
         */
        boolean receive(StagedDatagram into) throws IOException;
    }

    private final Receive call;
    private final StagedDatagram datagram;
    private final ReadResult result = new ReadResult();
    private boolean isStaged;
    private @Nullable IOException failure;

    SingleReader(Receive call, int maxDatagramBytes) {
        this.call = call;
        this.datagram = new StagedDatagram(maxDatagramBytes);
    }

    @Override
    public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        if (failure != null) {
            IOException earlier = failure;
            failure = null;
            throw earlier;
        }
        int count = 0;
        for (int i = 0; i < DATAGRAMS; i++) {
            if (!isStaged) {
                if (!receive()) {
                    // The next read reports a failure, because this one has read or appended datagrams.
                    return result.set(count, failure != null);
                }
                count++;
                datagram.receiveTimeNs(clock.epochNs());
            }
            isStaged = !batch.append(datagram, input);
            if (isStaged) {
                break;
            }
        }
        return result.set(count, true);
    }

    private boolean receive() {
        try {
            return call.receive(datagram);
        } catch (IOException e) {
            failure = e;
            return false;
        }
    }

    @Override
    public int staged() {
        return isStaged ? 1 : 0;
    }

    @Override
    public void close() {
        // The garbage collector releases its memory.
    }
}
