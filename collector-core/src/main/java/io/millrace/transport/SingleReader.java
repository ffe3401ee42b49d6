package io.millrace.transport;

import io.millrace.agent.EpochClock;
import io.millrace.record.BatchWriter;
import io.millrace.record.StagedDatagram;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads by a call that brings one datagram. One thread. */
final class SingleReader implements DatagramReader {
    /** Datagrams of one read, so that one call of it costs little beside what it brings. */
    private static final int DATAGRAMS = 64;

    /** A receive call for one datagram. */
    interface Receive {
        /**
         * Receives payload, source and length; not the time.
         *
         * @return false if none is waiting
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
        int brought = 0;
        for (int i = 0; i < DATAGRAMS; i++) {
            if (!isStaged) {
                if (!receive()) {
                    // A failure is reported by the next read: this one has taken datagrams, or placed one.
                    return result.set(brought, failure != null);
                }
                brought++;
                datagram.receiveTimeNs(clock.epochNs());
            }
            isStaged = !batch.append(datagram, input);
            if (isStaged) {
                break;
            }
        }
        return result.set(brought, true);
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
        // Its memory goes with it.
    }
}
