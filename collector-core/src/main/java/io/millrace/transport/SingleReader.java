package io.millrace.transport;

import io.millrace.agent.EpochClock;
import io.millrace.record.BatchWriter;
import io.millrace.record.StagedDatagram;
import java.io.IOException;

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
    private boolean isStaged;

    SingleReader(Receive call, int maxDatagramBytes) {
        this.call = call;
        this.datagram = new StagedDatagram(maxDatagramBytes);
    }

    @Override
    public boolean read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        for (int i = 0; i < DATAGRAMS; i++) {
            if (!isStaged) {
                if (!call.receive(datagram)) {
                    return false;
                }
                datagram.receiveTimeNs(clock.epochNs());
            }
            isStaged = !batch.append(datagram, input);
            if (isStaged) {
                return true;
            }
        }
        return true;
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
