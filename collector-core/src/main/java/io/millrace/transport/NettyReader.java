package io.millrace.transport;

import io.millrace.agent.EpochClock;
import io.millrace.record.BatchWriter;
import java.io.IOException;

/** Reads by Netty's {@code recvmmsg}. The datagrams of a call have one time, that of the call. One thread. */
final class NettyReader implements DatagramReader {
    private final NettyMessages messages;
    private final ReadResult result = new ReadResult();
    private int next;
    private int received;

    NettyReader(NettyMessages messages) {
        this.messages = messages;
    }

    @Override
    public ReadResult read(BatchWriter batch, int input, EpochClock clock) throws IOException {
        int brought = 0;
        if (next == received) {
            next = 0;
            received = 0;
            received = messages.receive();
            brought = received;
            long epochNs = clock.epochNs();
            for (int i = 0; i < received; i++) {
                messages.datagram(i).receiveTimeNs(epochNs);
            }
        }
        while (next < received && batch.append(messages.datagram(next), input)) {
            next++;
        }
        return result.set(brought, next < received || received == NettyMessages.CAPACITY);
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
